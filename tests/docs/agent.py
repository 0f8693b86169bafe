"""An agent: a model, tools in Scheme, somebody who is asked."""

import json
import logging
import sys

from chibi_bridge import Allow, Deny, ToolRegistry, ToolResult, UnknownTool


def ask(request):
    """Somebody's answer; here network tools may call, for the rest of the hour, and nothing may write files."""
    print(request.prompt, file=sys.stderr)
    return Allow("tool", seconds=3600) if request.category.value == "network" else Deny("not while I am away")


def call(registry, name, args):
    """One call: what goes wrong is an answer for the model too."""
    try:
        return registry.call(name, json.loads(args) if isinstance(args, str) else args)
    except (UnknownTool, ValueError) as error:
        return ToolResult(None, f"error: {error}", error=error)


def with_openai(registry, send, question):
    """Chat completions: send(request) -> response, both as JSON objects."""
    messages = [{"role": "user", "content": question}]
    while True:
        answer = send({"model": "gpt-5", "messages": messages, "tools": registry.schemas("openai")})
        message = answer["choices"][0]["message"]
        messages.append(message)
        if not message.get("tool_calls"):
            return message["content"]
        for wanted in message["tool_calls"]:
            result = call(registry, wanted["function"]["name"], wanted["function"]["arguments"])
            messages.append(result.to_openai(wanted["id"]))


def with_anthropic(registry, send, question):
    """Messages, in the same way."""
    messages = [{"role": "user", "content": question}]
    while True:
        tools = registry.schemas("anthropic")
        answer = send({"model": "claude-sonnet-4-5", "max_tokens": 1000, "messages": messages, "tools": tools})
        messages.append({"role": "assistant", "content": answer["content"]})
        if answer["stop_reason"] != "tool_use":
            return "".join(block["text"] for block in answer["content"] if block["type"] == "text")
        wanted = [block for block in answer["content"] if block["type"] == "tool_use"]
        results = [call(registry, block["name"], block["input"]).to_anthropic(block["id"]) for block in wanted]
        messages.append({"role": "user", "content": results})


def main(folder, send, run=with_openai, question="What is new?"):
    """Load a folder's tools and ask; decisions go to the log, one JSON line each."""
    logging.getLogger("chibi_bridge.audit").setLevel(logging.INFO)
    registry = ToolRegistry(permission=ask)
    registry.scan(folder)
    return run(registry, send, question)
