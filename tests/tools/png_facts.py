#!/usr/bin/env python3
"""Prints the size and the resolution of a PNG file, and in which quarters each colour occurs.

    png_facts.py FILE [RRGGBB ...]

Reads PNG files in the format that cairo writes: 8 bits, RGB, not interlaced. Checks the
checksums of all chunks. The exit status is 1 if the file does not have this format.
"""
import struct
import sys
import zlib

PLACES = ("upper left", "upper right", "lower left", "lower right")


def chunks(data):
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        sys.exit("no PNG")
    at = 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        (checksum,) = struct.unpack(">I", data[at + 8 + size:at + 12 + size])
        if zlib.crc32(kind + body) != checksum:
            sys.exit(f"wrong checksum of {kind}")
        yield kind, body
        at += 12 + size


def rows(raw, width, height):
    stride = 3 * width
    before = bytearray(stride)
    for y in range(height):
        kind = raw[y * (stride + 1)]
        row = bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for i in range(stride if kind else 0):
            left = row[i - 3] if i >= 3 else 0
            up = before[i]
            corner = before[i - 3] if i >= 3 else 0
            if kind == 4:
                guess = left + up - corner
                near = (abs(guess - left), abs(guess - up), abs(guess - corner))
                add = (left, up, corner)[near.index(min(near))]
            else:
                add = (0, left, up, (left + up) // 2)[kind]
            row[i] = (row[i] + add) & 255
        yield row
        before = row


def main():
    with open(sys.argv[1], "rb") as file:
        parts = list(chunks(file.read()))
    if parts[0][0] != b"IHDR" or parts[-1][0] != b"IEND":
        sys.exit("chunks out of order")
    width, height, bits, colour, _, _, interlaced = struct.unpack(">IIBBBBB", parts[0][1])
    if (bits, colour, interlaced) != (8, 2, 0):
        sys.exit("not 8 bits of RGB")
    dots = [struct.unpack(">IIB", body) for kind, body in parts if kind == b"pHYs"]
    inch = round(dots[0][0] * 0.0254) if dots else 0
    print(f"{width}x{height}, {inch} dots per inch")

    raw = zlib.decompress(b"".join(body for kind, body in parts if kind == b"IDAT"))
    wanted = {bytes.fromhex(text): text for text in sys.argv[2:]}
    found = {colour: set() for colour in wanted}
    for y, row in enumerate(rows(raw, width, height)):
        for side, half in ((0, row[:3 * (width // 2)]), (1, row[3 * (width // 2):])):
            for colour in wanted:
                at = half.find(colour)
                while at >= 0 and at % 3:
                    at = half.find(colour, at + 1)
                if at >= 0:
                    found[colour].add(2 * (y >= height // 2) + side)
    for colour, text in wanted.items():
        print(f"{text}: {', '.join(PLACES[i] for i in sorted(found[colour]))}")


if __name__ == "__main__":
    main()
