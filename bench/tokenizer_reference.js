// Measures Hugging Face's own library, for bench/tokenizer. It has the first two command lines of
// tokenizer_speed, FILE and FILE TEXT, and prints a line of JSON with the same members. NODE_PATH
// is a folder with the npm package "tokenizers".
'use strict';
const fs = require('fs');
const {Tokenizer} = require('tokenizers');

// CPU time of all threads in seconds: the library works in its own thread.
const now = () => {
  const {user, system} = process.cpuUsage();
  return (user + system) / 1e6;
};
// Memory of this process in KiB: VmRSS is its resident memory now, VmHWM is the peak.
const kib = (which) =>
  Number(new RegExp(`${which}:\\s*(\\d+)`).exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]);

async function main() {
  const [file, text] = process.argv.slice(2);
  const before = kib('VmRSS');
  const begin = now();
  const tokens = Tokenizer.fromFile(file);
  const out = {load_ms: (now() - begin) * 1e3, load_kib: kib('VmHWM') - before};
  tokens.disableTruncation();
  tokens.disablePadding();
  if (text !== undefined) {
    const all = fs.readFileSync(text);
    const texts = all.toString('utf8').split('\0');
    Object.assign(out, {seconds: 0, bytes: all.length, tokens: 0});
    let digest = 0n;
    for (const each of texts) {
      const start = now();
      const ids = (await tokens.encode(each, null, {addSpecialTokens: false})).getIds();
      out.seconds += now() - start;
      out.tokens += ids.length;
      for (const id of ids) digest = BigInt.asUintN(64, digest * 1000003n + BigInt(id));
    }
    out.digest = digest.toString(16);
  }
  console.log(JSON.stringify(out));
}

main().catch((error) => {
  console.error(error.message);
  process.exit(1);
});
