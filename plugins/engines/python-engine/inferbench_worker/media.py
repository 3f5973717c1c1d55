"""Media and chat messages in the forms that engines take."""
import base64
import os

_MIMES = {"image": "image/png", "audio": "audio/wav", "video": "video/mp4"}


def data_of(medium):
    """The encoded file of a medium whose uri is a path or file://; None for any other uri."""
    if medium.data is not None:
        return medium.data
    path = medium.uri[7:] if medium.uri.startswith("file://") else medium.uri
    if path.startswith("/") or os.path.exists(path):
        with open(path, "rb") as file:
            return file.read()
    return None


def url_of(medium):
    """A URL that needs no file: data:, http: or https:."""
    data = data_of(medium)
    if data is None:
        return medium.uri
    return "data:%s;base64,%s" % (medium.mime or _MIMES[medium.kind],
                                  base64.b64encode(data).decode("ascii"))


def part_of(medium):
    """A part of the content of a chat message, as the OpenAI API and vLLM have it."""
    kind = medium.kind + "_url"
    return {"type": kind, kind: {"url": url_of(medium)}}


def messages_of(item):
    """The conversation of an item: its messages, or one message of the user. Media that are
    additional go into the last message of the user."""
    if item.messages is None:
        if item.prompt is None:
            raise NotImplementedError("a chat needs a prompt as text; item %d has token ids"
                                      % item.number)
        text = {"type": "text", "text": item.prompt}
        return [{"role": "user", "content": [text] + [part_of(m) for m in item.media]}]
    messages = [dict(message) for message in item.messages]
    if item.media:
        last = next((m for m in reversed(messages) if m["role"] == "user"), None)
        if last is None:
            raise NotImplementedError("item %d has media, but no message of the user" % item.number)
        content = last.get("content") or []
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        last["content"] = list(content) + [part_of(medium) for medium in item.media]
    return messages
