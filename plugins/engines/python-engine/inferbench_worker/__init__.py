"""The parts of the worker, and what adapters share.

frames      a frame as bytes; reading and writing on the socket
fields      the JSON of a frame, with the path of each mistake
items       what an adapter gets: batch, items, media
inbox       the thread that reads frames
adapter     from a file to an engine; what an exception means for the user
outcome     results as frames
session     the loop: one frame after the other
process     descriptors, signals, process group
streams     asynchronous streams, drained into token events
media       media and chat messages in the forms that engines take
vllm_objects  what the adapters of vLLM share
"""
