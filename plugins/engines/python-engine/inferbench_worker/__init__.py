"""The parts of the worker, and the modules that adapters share.

frames           a frame as bytes; reading and writing on the socket
fields           the JSON of a frame, with the path of each mistake
items            items with prompts and media; sampling
batch            a batch, with the functions that an adapter calls
calls            the call of a single request, and its events
single_requests  requests that come one by one
inbox            the thread that reads frames
adapter          from a file to an engine; the meaning of an exception for the user
outcome          results as frames
session          the loop: one frame after the other
process          descriptors, signals, process group
streams          asynchronous streams, drained into token events
media            media and chat messages in the forms that engines take
vllm_objects     shared by the adapters of vLLM
vllm_stages      stages of vLLM's multimodal requests
"""
