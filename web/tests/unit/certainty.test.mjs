import assert from "node:assert/strict";
import {test} from "node:test";

import {certaintyOf, neededCount} from "../../src/analysis/certainty.js";

test("459 independent observations bound P99 with 99 % confidence", () => {
  assert.equal(neededCount(99, 0.99), 459);
  assert.equal(neededCount(99.9, 0.99), 4603);
  assert.equal(neededCount(50, 0.99), 7);
  assert.equal(neededCount(100, 0.99), NaN);
});

test("the needed number grows if observations depend on each other", () => {
  const certainty = {
    confidence: 0.99,
    figures: {
      ttft: {
        count: 1000,
        effective_count: 250,
        percentiles: [
          {percentile: 99, bound: null},
          {percentile: 50, bound: 12.5},
        ],
      },
    },
  };
  assert.deepEqual(certaintyOf(certainty, "ttft", 99), {
    bound: null,
    needed: 1836,
    count: 1000,
    effective: 250,
  });
  assert.equal(certaintyOf(certainty, "ttft", 50).bound, 12.5);
  assert.equal(certaintyOf(certainty, "ttft", 90), null);
  assert.equal(certaintyOf(certainty, "tpot", 99), null);
  assert.equal(certaintyOf(undefined, "ttft", 99), null);
});

test("each percentile has its own effective number", () => {
  const certainty = {
    confidence: 0.99,
    figures: {
      ttft: {
        count: 1000,
        effective_count: 250,
        percentiles: [
          {percentile: 99, bound: null, effective_count: 500},
          {percentile: 50, bound: null, effective_count: 20.9},
          {percentile: 90, bound: null, effective_count: null},
        ],
      },
    },
  };
  assert.deepEqual(certaintyOf(certainty, "ttft", 99), {
    bound: null,
    needed: 918,
    count: 1000,
    effective: 500,
  });
  // A median without a bound is not certified, however few observations it would need.
  assert.equal(certaintyOf(certainty, "ttft", 50).bound, null);
  assert.equal(certaintyOf(certainty, "ttft", 50).effective, 20.9);
  assert.equal(certaintyOf(certainty, "ttft", 90).effective, null);
});
