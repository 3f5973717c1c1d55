"""vLLM's LLM.chat: each request is a conversation, or a prompt that becomes one message."""
import os

from inferbench_worker.adapter import module_of

_LLM = module_of(os.path.join(os.path.dirname(os.path.abspath(__file__)), "vllm.py"))


class Engine(_LLM.Engine):
    def __init__(self):
        super().__init__()
        self.capabilities = ("chat", "adapters", "profile") + (
            ("prequeue",) if self._has("enqueue_chat") else ())

    def prepare(self, batch):
        if batch.mode != "chat":
            raise NotImplementedError("the engine vllm-chat has only the mode chat, not %s"
                                      % batch.mode)
        super().prepare(batch)
