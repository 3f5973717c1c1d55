"""Makes synthetic JPEG images as data URLs with numpy and Pillow, as `vllm bench serve` does for its
dataset random-mm, and prints their number and bytes as JSON. bench/run runs it for the row images.

    pillow_images.py COUNT SIDE
"""
import base64
import io
import json
import sys

import numpy
from PIL import Image


def main():
    count, side = map(int, sys.argv[1:])
    random = numpy.random.default_rng(0)
    size = 0
    for _ in range(count):
        pixels = random.integers(0, 256, (side, side, 3), dtype=numpy.uint8)
        with io.BytesIO() as file:
            Image.fromarray(pixels).convert("RGB").save(file, format="JPEG")
            text = base64.b64encode(file.getvalue()).decode("utf-8")
        size += len(f"data:image/jpeg;base64,{text}")
    print(json.dumps({"images": count, "bytes": size}))


if __name__ == "__main__":
    main()
