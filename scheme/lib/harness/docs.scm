;;; (harness docs), the body.

;; The text on a hook: when it comes, what its payload holds, what it returns.
(define (hook-text when payload returns)
  (string-append "Called " when ". Payload: " payload ". "
                 (if (string=? returns "")
                     "What it returns is not used."
                     (string-append "May return an alist with: " returns "."))))

;;> hooks-docs
;;> An alist from the name of each hook to a text about it.
(define hooks-docs
  (list
   (cons '__module__ "harness hooks")
   (cons 'on_start
         (hook-text "at the start of a command"
                    "chibi_home, project_root, tool_count"
                    ""))
   (cons 'on_end
         (hook-text "at the end of a command"
                    "chibi_home, project_root, tool_count"
                    ""))
   (cons 'pre_message
         (hook-text "before a prompt is sent"
                    "prompt, context_name, summary"
                    "prompt"))
   (cons 'post_message
         (hook-text "after a response"
                    "prompt, response, context_name"
                    ""))
   (cons 'pre_system_prompt
         (hook-text "before the system prompt"
                    "context_name, summary, flock_goals"
                    "inject"))
   (cons 'post_system_prompt
         (hook-text "after the system prompt"
                    "context_name, summary, flock_goals"
                    "inject"))
   (cons 'pre_tool
         (hook-text "before a tool call"
                    "tool_name, arguments"
                    "block, message, arguments"))
   (cons 'post_tool
         (hook-text "after a tool call"
                    "tool_name, arguments, result, cached"
                    ""))
   (cons 'pre_tool_output
         (hook-text "before a tool's output is used"
                    "tool_name, arguments, output"
                    "block, message, output"))
   (cons 'post_tool_output
         (hook-text "after a tool's output was used"
                    "tool_name, arguments, output, final_output, cached"
                    ""))
   (cons 'pre_api_tools
         (hook-text "before the list of tools is sent"
                    "context_name, tools, fuel_remaining, fuel_total"
                    "include, exclude"))
   (cons 'pre_api_request
         (hook-text "before a request is sent"
                    "context_name, request_body, fuel_remaining, fuel_total"
                    "request_body"))
   (cons 'pre_agentic_loop
         (hook-text "before a turn"
                    (string-append "context_name, current_fallback, message, "
                                   "fuel_remaining, fuel_total")
                    "fallback, fuel, fuel_delta"))
   (cons 'post_tool_batch
         (hook-text "after a batch of tool calls"
                    (string-append "context_name, current_fallback, "
                                   "tool_calls, "
                                   "fuel_remaining, fuel_total")
                    "fallback, fuel, fuel_delta"))
   (cons 'pre_file_read
         (hook-text "before a file is read"
                    "tool_name, path"
                    "denied, reason"))
   (cons 'pre_file_write
         (hook-text "before a file is written"
                    "tool_name, path, content"
                    "denied, reason"))
   (cons 'pre_shell_exec
         (hook-text "before a command is run"
                    "tool_name, command"
                    "denied, reason"))
   (cons 'pre_fetch_url
         (hook-text "before a URL is fetched"
                    "tool_name, url, summary, safety, reason"
                    "denied, reason"))
   (cons 'pre_spawn_agent
         (hook-text "before an agent is started"
                    "system_prompt, input, model, temperature, max_tokens"
                    "response, block, message"))
   (cons 'post_spawn_agent
         (hook-text "after an agent ended"
                    "system_prompt, input, model, response"
                    ""))
   (cons 'pre_cache_output
         (hook-text "before a long output is stored"
                    "tool_name, output_size, arguments"
                    "block"))
   (cons 'post_cache_output
         (hook-text "after a long output was stored"
                    "tool_name, cache_id, output_size, preview_size"
                    ""))
   (cons 'pre_send_message
         (hook-text "before a message is delivered"
                    "from, to, content, context_name"
                    "delivered, via"))
   (cons 'post_send_message
         (hook-text "after a message was delivered"
                    "from, to, content, context_name, delivery_result"
                    ""))
   (cons 'post_index_file
         (hook-text "after a file was indexed"
                    "path, lang, symbol_count, ref_count"
                    ""))
   (cons 'pre_vfs_write
         (hook-text "before the virtual file system is written"
                    "tool_name, path, content, caller"
                    ""))
   (cons 'post_vfs_write
         (hook-text "after the virtual file system was written"
                    "tool_name, path, caller"
                    ""))
   (cons 'pre_clear
         (hook-text "before a context is cleared"
                    "context_name, message_count, summary"
                    ""))
   (cons 'post_clear
         (hook-text "after a context was cleared"
                    "context_name"
                    ""))
   (cons 'pre_compact
         (hook-text "before a context is compacted"
                    "context_name, message_count, summary"
                    ""))
   (cons 'post_compact
         (hook-text "after a context was compacted"
                    "context_name, message_count, summary"
                    ""))
   (cons 'pre_rolling_compact
         (hook-text "before old messages are compacted"
                    "context_name, message_count, non_system_count, summary"
                    ""))
   (cons 'post_rolling_compact
         (hook-text "after old messages were compacted"
                    "context_name, message_count, messages_archived, summary"
                    ""))))

;;> harness-tools-docs
;;> An alist from the names that a tool file may use to texts about them.
(define harness-tools-docs
  (list
   (cons '__module__ "harness tools")
   (cons 'define-tool
         (string-append
          "(define-tool name clause ...): a macro that defines a tool. "
          "Clauses, in any order: (description text), "
          "(parameters '((name . ((type . "
          "\"string\") (description . text) (required . #f))) ...)), (execute "
          "(lambda (args) ...)), and optionally (category text), "
          "(summary-params '(name ...)), (summary template), (http-allow "
          "'(url ...)), (examples list), (returns schema), (timeout seconds). "
          "args is an alist with string keys."))
   (cons 'call-tool
         (string-append
          "(call-tool name arguments): call another tool; arguments is an "
          "alist. Returns the text of its result, raises an error where it "
          "fails."))
   (cons 'register-hook
         (string-append
          "(register-hook 'name handler): call handler with an alist when the "
          "event happens; see hooks-docs."))
   (cons 'generate-id
         "(generate-id): return a new identifier of 8 hexadecimal digits.")
   (cons 'current-timestamp
         "(current-timestamp): return the time as YYYYMMDD-HHMMz, in UTC.")))
