-- Copyright The ctx-lsp authors. MIT licence.

-- Code generated from core/api/schema*.go and methods.go by `make generated`. DO NOT EDIT.

---@meta
-- An absent field is nil here: JSON's null never gets through.

--- Basis is how a number is known: by the provider (measured), by the model's own tokenizer (counted), as a remainder
--- (derived), or as an estimate.
---@alias ctx.Basis
---| "measured"
---| "counted"
---| "derived"
---| "estimated"
---| "unknown"
---| "measured+counted"
---| "measured+estimated"

--- Level is how near compaction is.
---@alias ctx.Level
---| "ok"
---| "soon"
---| "now"
---| "over"

--- Activity is the agent's activity: a request or a tool is running (working), it waits for the user, it has no process
--- and no record for a while (idle), or it ended.
---@alias ctx.Activity
---| "working"
---| "waiting"
---| "idle"
---| "ended"

--- WaitingFor is what an agent waits for: approval of something it asked, or the next prompt.
---@alias ctx.WaitingFor
---| "approval"
---| "prompt"

--- Kind is a row of the breakdown. If a measured prompt was not itemized, messages is its remainder. Otherwise prefix
--- is the part of the remainder that preceded the conversation and cannot be divided further, and unattributed is the
--- part added later without a record.
---@alias ctx.Kind
---| "system"
---| "tools"
---| "mcpTools"
---| "skills"
---| "agents"
---| "memory"
---| "documents"
---| "summary"
---| "user"
---| "assistant"
---| "toolCalls"
---| "toolResults"
---| "reasoning"
---| "media"
---| "messages"
---| "unattributed"
---| "prefix"

--- SubjectKind is the kind of an item's subject; empty for any other label. Others stands for further subjects of a
--- tool, beyond the number that are kept apart.
---@alias ctx.SubjectKind
---| "tool"
---| "file"
---| "command"
---| "url"
---| "mcp"
---| "agent"
---| "skill"
---| "others"

--- Mode is the meaning of used: hybrid, the prediction for the next request; or provider, the last measured prompt and
--- nothing else.
---@alias ctx.Mode
---| "hybrid"
---| "provider"

--- LimitSource is the source of the window's size, in order of precedence. setting is a smaller window that the user
--- has set for the agent. error is an overflow newer than the other sources; it also takes precedence over user and
--- agentNow if it gives less. agentNow is the agent's report in this session, outside its records. accepted is the
--- model's larger window, after two prompts that need it. learned was shown by refusals or accepted prompts of earlier
--- sessions.
---@alias ctx.LimitSource
---| "setting"
---| "user"
---| "agentNow"
---| "error"
---| "accepted"
---| "agent"
---| "provider"
---| "learned"
---| "agentTable"
---| "registry"
---| "unknown"

--- ThresholdSourceKind is a kind of source of the compaction threshold, in order of precedence: the session's own
--- compactions, earlier sessions, the requested rule, a setting of the agent, and the agent's own rule. The limit less
--- the reserve bounds all of them. Dropped and estimate are what the agent counts differently.
---@alias ctx.ThresholdSourceKind
---| "session"
---| "learned"
---| "asked"
---| "setting"
---| "rule"
---| "limit"
---| "dropped"
---| "estimate"

--- ThresholdState is the effect of a source's threshold: it decides, another source takes precedence, it changes
--- nothing, or it is added to the threshold in force.
---@alias ctx.ThresholdState
---| "inForce"
---| "overruled"
---| "withoutEffect"
---| "adjusts"

--- ReasoningMode is how long reasoning stays in the window.
---@alias ctx.ReasoningMode
---| "never"
---| "turn"
---| "always"

--- Trigger is what started a compaction: the agent or the user.
---@alias ctx.Trigger
---| "auto"
---| "manual"

--- CompactionTrigger is what started a compaction: the agent at its threshold (auto), a command (manual), or the agent
--- because the session was idle (idle).
---@alias ctx.CompactionTrigger
---| "unknown"
---| "auto"
---| "manual"
---| "idle"

--- Answer is yes, no, or unknown.
---@alias ctx.Answer
---| "unknown"
---| "yes"
---| "no"

--- BackCause is the reason why a prompt cache is cold: its lifetime is over, the agent's process has ended, the model
--- or the tools have changed, or the conversation was compacted.
---@alias ctx.BackCause
---| "time"
---| "ended"
---| "model"
---| "tools"
---| "compacted"

--- BreakCause is the reason why a request did not find the previous prompt in the cache: the cache's lifetime was over,
--- the conversation was compacted, earlier messages, the model, the effort, the tools or the system prompt changed,
--- another process or route sent it, or the provider did not use its cache.
---@alias ctx.BreakCause
---| "unknown"
---| "time"
---| "compaction"
---| "messages"
---| "model"
---| "effort"
---| "tools"
---| "system"
---| "process"
---| "provider"

--- Turn is the start or the end of a turn of the conversation.
---@alias ctx.Turn
---| "start"
---| "end"

--- Phrase is a text of ctx-lsp for front ends that translate: its id, which is one of internal/phrase/list.go, and the
--- values of its placeholders: numbers, names, and phrases. A third-party text never has one.
---@alias ctx.Phrase { id: string; args?: (string|number|ctx.Phrase)[] }

--- Text is a text that front ends show, in English. A text of ctx-lsp has the id of its phrase, one of
--- internal/phrase/list.go, and the values of its placeholders, for front ends that translate. A third-party text has
--- neither.
---@class (exact) ctx.Text
---@field text string
---@field id? string
---@field args? ctx.Arg[]

--- Arg is the value of a placeholder: a name, a number, or a phrase.
---@alias ctx.Arg string|number|ctx.Phrase

--- Time is a moment, in milliseconds since 1970.
---@alias ctx.Time number

--- Body is a text of any length. It is counted and dropped.
---@alias ctx.Body string

--- RuleChoice is a Rule, "none", or the name of an agent whose rule to use.
---@alias ctx.RuleChoice ctx.Rule|string|nil

--- Content is the content of a fixed row: a text, a number of tokens, a Part, or an array of Parts, texts and numbers.
--- Blocks of a system prompt and definitions of tools may have the provider's shape. null clears the row.
---@alias ctx.Content string|number|ctx.Part|ctx.Block|(string|number|ctx.Part|ctx.Block)[]|nil

--- Block is a block of a system prompt, or the definition of a tool, as a provider shapes it.
---@alias ctx.Block { [field: string]: any; kind?: never }|(object & { kind?: never })

--- Message is a message of a conversation as a provider or the AI SDK shapes it: with a role and its content or parts,
--- or an input item with its type.
---@alias ctx.Message ({ role: string; kind?: never } & ({ content: any }|{ parts: readonly any[] }|{ [field: string]: any }))|{ type: string; kind?: never; [field: string]: any }

--- Appendix is an Item, or a Message.
---@alias ctx.Appendix ctx.Item|ctx.Message

--- Draft is the message that the user is typing. null or an empty text clears it.
---@alias ctx.Draft string|number|ctx.Part|ctx.Item|nil

--- Summary is the summary that a compaction left: a text, a number of tokens, or a Part.
---@alias ctx.Summary string|number|ctx.Part|nil

--- Opening is true, or the parameters to open a session with.
---@alias ctx.Opening boolean|ctx.OpenParams

--- Foreign is a third-party value, as it was received.
---@alias ctx.Foreign any

--- Sentence is a text for users: a third-party text, or a phrase.
---@alias ctx.Sentence string|ctx.Phrase

--- SavedLedger is a ledger as ctx/session/save returned it.
---@alias ctx.SavedLedger ctx.Ledger

--- SavedLessons are learned corrections as ctx/learned/get returned them; null for none.
---@alias ctx.SavedLessons ctx.Learned|nil

--- Nothing is a result without a field.
---@alias ctx.Nothing table

--- Reading is everything that front ends show of a session, already decided. A front end that needs arithmetic has
--- found a missing field.
---@class (exact) ctx.Reading
---@field schema "ctx.reading/3" "ctx.reading/3"
---@field session string the session's id
---@field label string its name for users
---@field agent string
---@field agentVersion string
---@field model string
---@field workspace string
---@field title string The agent's own title, or the user's name for it: one line of at most 200 bytes, "" without one.
---@field branch string the branch that the agent works on, if its records show it
---@field parent? string the parent's session id, for a sub-agent
---@field mode ctx.Mode
---@field basis ctx.Basis The basis of used. Front ends print ~ for estimated and ? for unknown.
---@field pending boolean a request is waiting for its response
--- The agent's activity. The core sees only records; the daemon, which sees processes and has a clock, adds the rest.
---@field activity ctx.Activity
---@field waitingFor "approval"|"prompt"|"" while the agent waits: "approval", "prompt" or ""
---@field since? integer when the activity began; for work, when the turn began
---@field used integer Tokens the next request will occupy if it is sent now.
---@field range ctx.Span the range of the next request
---@field limit? integer The largest prompt: the maximum input if it is known, otherwise the window.
--- Tokens free in the window: limit - used - reserve; may be negative. compaction.left is the rest up to the threshold.
---@field free? integer
---@field freeShare? number share of the window, like every share; never negative
---@field reserve integer tokens kept for the response, if prompt and response share the window
--- used as a percentage of the limit, rounded half up; may exceed 100. null if the limit is unknown.
---@field percent? number
---@field limitSource ctx.LimitSource
--- null before the first request and after a compaction; after an overflow, the refused prompt if the error gives its
--- size.
---@field lastRequest? ctx.LastRequest
---@field leaving ctx.Leaving
---@field new ctx.NewItems
---@field assumed? integer Tokens of used that were neither measured nor appended; absent if 0.
---@field breakdown ctx.Row[] rows that add up to used, apart from deferred ones
---@field mcpServers ctx.Server[] tokens of each server's tools, the largest first
---@field largest ctx.LargeItem[] the ten largest entries of the conversation, by name
---@field compaction ctx.Compaction
---@field advice ctx.Advice[] things that the user can remove, the largest first
---@field accuracy ctx.Accuracy
---@field spent ctx.Spent
---@field cache ctx.Cache the provider's cache of the prompt
---@field children ctx.Brief[] sub-agents, which have their own windows
---@field warnings ctx.Text[] messages about problems
--- Known models that resemble an unknown model, which a warning names; absent without any.
---@field similarModels? string[]
---@field asOf? integer time of the last event
--- Provider mode: why no measured percentage is shown, in a few words; absent if one is shown.
---@field unmeasured? ctx.Text
---@field agentOwn? ctx.AgentOwn What the agent itself shows of its window; absent if it shows nothing.
---@field host? string The program that runs the session for its agent, such as "VS Code Agent Host"; absent otherwise.
---@field display ctx.Display the short texts that front ends print
---@field panel? ctx.Panel Everything about the session in words, if the caller asked for it.
---@field lines? table<string, string> The finished lines that ctx/watch requested.
--- The first words of the first prompt of a session without a title, if ctx/watch asks; to be shown only.
---@field opening? string
---@field file? string the transcript that the session is read from
---@field allowance? ctx.Allowance the account's limits, as reported by the agent on this machine
---@field focus? ctx.Focus why it is the focused session; only from ctx/focus and ctx/focused

--- Focus is the reason for choosing a session.
---@class (exact) ctx.Focus
---@field reason ctx.Reason
---@field because string the reason, as a message
---@field candidates string[] sessions that the focused agent may run, if uncertain

--- Allowance is how much of an account's limits is used, and until when the prompt cache is warm, as reported by the
--- agent on this machine. No other source is asked.
---@class (exact) ctx.Allowance
---@field windows ctx.AllowanceWindow[] the shortest first
---@field cacheUntil? integer null if the agent does not report it
---@field cache? ctx.AgentCache the session's prompt cache by the agent's own account
---@field at? integer when the agent reported it

--- AgentCache is the prompt cache of a session by the agent's own account, which counts by rules of its own. Nothing is
--- computed from it, and cache.breaks are not from it. A value is null if the agent does not report it.
---@class (exact) ctx.AgentCache
---@field warm? boolean
---@field life? integer the lifetime in milliseconds
---@field requests? integer requests that it counts
---@field misses? integer of them, those that missed the cache
---@field expected? integer rebuilds that it expected, such as after a compaction
---@field hits? number the part of the prompts that was read, in percent
---@field written? integer tokens written to the cache
---@field rewritten? integer tokens that misses wrote again
---@field lastMiss? integer when the last miss was
---@field lastCauses string[] its causes, in the agent's words
---@field causes ctx.AgentCacheCause[] the misses by cause, the most frequent first
---@field ifCold? integer tokens that the next request would write if the cache were cold

--- AgentCacheCause is a cause of misses, in the agent's words, and their number.
---@class (exact) ctx.AgentCacheCause
---@field cause string
---@field count integer

--- AllowanceWindow is one limit of an account.
---@class (exact) ctx.AllowanceWindow
---@field minutes integer length in minutes: 300 is five hours, 10,080 a week
---@field percent number percentage used
---@field resets? integer when it restarts

--- Span is the range that contains 90% of next requests, by the session's own errors.
---@class (exact) ctx.Span
---@field low integer
---@field high integer
---@field cause? ctx.Text Why the range is wide, if the cause cannot be predicted; absent otherwise.

--- LastRequest is the last measured prompt and the part of its response that is in the next one.
---@class (exact) ctx.LastRequest
---@field in integer the whole prompt, cached or not
---@field percent? number
---@field cacheRead? integer
---@field cacheWrite? integer
---@field out? integer
---@field reasoning? integer
---@field carry integer the part of the response that is in the next prompt
---@field carryBasis ctx.Basis

--- Leaving is the part of the last prompt that will not be sent again.
---@class (exact) ctx.Leaving
---@field tokens integer
---@field reasons ctx.LeavingReason[]

--- LeavingReason is one cause and its share.
---@class (exact) ctx.LeavingReason
---@field reason ctx.Text
---@field tokens integer

--- NewItems are the items appended after the last measured prompt.
---@class (exact) ctx.NewItems
---@field tokens integer
---@field items integer
---@field basis ctx.Basis

--- Row is one row of the breakdown.
---@class (exact) ctx.Row
---@field kind ctx.Kind
---@field label ctx.Text
---@field tokens integer
---@field share? number share of the window; null for a deferred row or an unknown window
---@field bar number length of its bar, in percent of the largest row's
---@field basis ctx.Basis
---@field deferred? boolean listed, but neither in the window nor in the sum

--- Server is an MCP server of the session. It is known from its listed or called tools, or from the agent's
--- configuration.
---@class (exact) ctx.Server
---@field name string
---@field tools integer number of tools known by name
---@field listed boolean true if these are all; otherwise only called tools are known
---@field deferred integer number of tools that are listed by name and loaded on demand
---@field neverCalled? integer Number of tools that were never called; null if not all tools are known.
---@field calls integer number of calls in the window
---@field tokens? integer tokens in every request; null if unknown
---@field basis ctx.Basis
---@field switchOff string what switches it off, for this agent; "" if unknown
---@field text ctx.Text all of this as a message, for front ends

--- Compaction describes when the agent compacts, and at which threshold.
---@class (exact) ctx.Compaction
---@field rule string name of the rule
---@field since string date from which it applies
---@field source string where it was found
---@field threshold? integer null without a rule or a window; at most limit - reserve
---@field thresholdShare? number position of the threshold in a bar of the window, as a share
---@field thresholdFrom? ctx.Text The source of the threshold and what it overrules; absent if the rule decides.
---@field sources ctx.ThresholdSource[] sources of the threshold, in order of precedence
---@field moved? ctx.ThresholdMove The last change of the threshold during the session; null without one.
---@field left? integer line - used
---@field leftShare? number of the window; never negative
---@field percent? number used as a percentage of the threshold
---@field level ctx.Level how near the threshold is; without one, how near the full window is
---@field reached boolean used > threshold
---@field advised boolean true if it is time to compact: from the level now on, a margin below the threshold
---@field buffer? integer tokens between the threshold and the limit
---@field bufferShare? number share of the window
---@field landing? ctx.Landing
--- Requests until it compacts, otherwise until the window is full; null before three, unless earlier sessions show it.
---@field callsLeft? ctx.Range
---@field turnsLeft? ctx.Range
---@field forecastFrom? ctx.Text The source of the forecasts; absent for the session itself.
--- The next event: "compacts in ~5 requests", or "window full in ~12 requests" if nothing compacts; empty if unknown.
---@field hint ctx.Text
---@field count integer number of compactions
---@field last? ctx.Verdict the last one; null before the first

--- ThresholdMove is a change of the compaction threshold during a session, without what the agent counts differently.
---@class (exact) ctx.ThresholdMove
---@field at? integer
---@field call integer number of the request before it
---@field from integer
---@field to integer
---@field source ctx.ThresholdSourceKind the source of the new threshold
---@field text ctx.Text all of this as a message

--- ThresholdSource is a source of the compaction threshold. The threshold of the source in force and what others add to
--- it are together the one that is shown, unless several settings are in force together.
---@class (exact) ctx.ThresholdSource
---@field source ctx.ThresholdSourceKind
---@field name ctx.Text the name that front ends show
---@field setting string Name and value of a setting of the agent, as written; "" for other sources.
---@field value string
---@field threshold? integer the threshold that it gives alone; null if it gives none
---@field adds integer tokens that it adds to the threshold in force; 0 unless it adjusts it
---@field state ctx.ThresholdState
---@field note? ctx.Text How its value is interpreted, or why it has no effect; absent otherwise.

--- Verdict compares a compaction with the Reading before it. Its message leaves out unknown facts.
---@class (exact) ctx.Verdict
---@field at? integer
---@field trigger ctx.CompactionTrigger
---@field before integer size of the compacted prompt
---@field beforeBasis ctx.Basis The basis of before: measured if the agent records it.
---@field left? integer the size of the next prompt without what the user added
---@field leftBasis ctx.Basis the basis of left: estimated until the next request is measured
---@field freed? integer before - left
---@field threshold? integer The compaction threshold that was shown before it; null without one.
---@field source? ctx.ThresholdSourceKind the source that decided it; null without a threshold
--- Whether it happened at the threshold; unknown unless the agent compacted at a recorded size below a known threshold.
---@field asPredicted ctx.Answer
---@field thresholdNow? integer the threshold from then on; null if it stayed
---@field loop boolean this compaction and the one before each freed less than a fifth
---@field text ctx.Text all of this as a message

--- Cache is the provider's cache of a session's prompt, as the transcript records it.
---@class (exact) ctx.Cache
---@field back? ctx.Back the cost of returning; null if the cache's lifetime is not recorded
--- Requests that wrote to the cache again what the previous one had left there; absent without any.
---@field breaks? ctx.CacheBreaks

--- Back is the cost of returning to a session: until when the provider keeps its prompt in the cache, as recorded in
--- the transcript, and how much the next prompt writes to the cache after that. Front ends compare the times with a
--- clock.
---@class (exact) ctx.Back
---@field warmUntil integer until then, the next prompt is read from the cache
---@field coldFrom integer From then on, it is written again. Between warmUntil and coldFrom, either may happen.
--- when the last fifth of the cache's lifetime begins; warmUntil if it is cold for another reason
---@field warnFrom integer
---@field cause ctx.BackCause the reason why it becomes cold
---@field life integer the cache's lifetime in milliseconds
---@field anew integer tokens that the next prompt writes to the cache once it is cold
---@field display "441k" anew as front ends print it: "441k"
---@field kept integer the fixed context that is still read then; after hours it has often expired
--- When the agent compacts the session if it stays idle, and the size after that; null if it does not.
---@field compactsAt? integer
---@field compactsTo? integer
---@field compactFirst? integer tokens that the first prompt after a compaction writes to the cache; null if unknown
---@field text ctx.Text the cost of a cold cache in a clause
---@field compactsText? ctx.Text the agent's own compaction in a clause; absent if it does not compact
--- The cost after a compaction before the next prompt, in a clause; absent if unknown or not smaller.
---@field firstText? ctx.Text

--- CacheBreaks are the requests of a session that wrote to the cache again what the previous request had left there.
---@class (exact) ctx.CacheBreaks
---@field count integer
---@field written integer tokens that they wrote again, in all
---@field last ctx.DetailedBreak
---@field text ctx.Text the two numbers in a clause

--- DetailedBreak is one break of the cache, with its cause in words.
---@class (exact) ctx.DetailedBreak
---@field at? integer when the request was answered
---@field call integer the request's number in the session
---@field cause ctx.BreakCause why the cache broke
---@field recorded boolean the provider or the agent named the cause; otherwise it is inferred
---@field written integer tokens written again, without the growth of the conversation
---@field unread boolean the provider reports no writes, so written is only what was not read from the cache
---@field kept integer tokens that were still read from the cache
---@field causeText ctx.Text the cause in a clause
---@field text ctx.Text the cause and the tokens written again

--- Landing is the range of tokens that a compaction is expected to leave.
---@class (exact) ctx.Landing
---@field low integer
---@field high integer

--- Range is a forecast with its 80% interval.
---@class (exact) ctx.Range
---@field low integer
---@field likely integer
---@field high integer

--- Advice is something that the user can remove.
---@class (exact) ctx.Advice
---@field action string
---@field label ctx.Text
---@field tokens integer tokens freed
---@field basis ctx.Basis basis of the tokens
---@field atMost boolean less may be freed
---@field items integer
---@field how? ctx.Text how to follow it: a message, or a command of the agent
---@field breaksCache boolean

--- Accuracy is the session's own record of its predictions.
---@class (exact) ctx.Accuracy
---@field last? ctx.Miss
---@field ratio number actual size of estimated texts divided by their estimates, as learned so far
---@field medianTokens? integer
---@field p95Tokens? integer
---@field p95Percent? number
---@field steps integer

--- Miss is one prediction and its measurement.
---@class (exact) ctx.Miss
---@field predicted integer
---@field actual integer
---@field error integer predicted - actual
---@field percent number
---@field cause? ctx.Text the likely cause of an error of more than one percent

--- Spent is the total of all requests. Cached tokens are included in in. It does not describe the window.
---@class (exact) ctx.Spent
---@field calls integer
---@field in integer
---@field out integer
---@field cacheRead integer
---@field cacheWrite integer
---@field reasoning integer
---@field total integer in + out
--- The total weighted by cost, in tokens of plain input: a cache read is 0.1, a write 1.25, or 2 if kept for an hour.
---@field effective integer

--- AgentOwn is what the agent itself shows of its window, by its own formula.
---@class (exact) ctx.AgentOwn
---@field percent? number null if it prints none
---@field label? ctx.Text the label of percent
---@field counts? ctx.Text its own count, as a message; not part of breakdown

--- Display holds the short texts of a Reading. No front end rounds numbers itself.
---@class (exact) ctx.Display
--- The fullness as every front end prints it: "~81%", with ~ if estimated; tokens if the limit is unknown.
---@field number string
--- "~" estimated, "≥" only a part is known, "!" older than data that is not read (yet), "?" unknown, "" otherwise
---@field mark string
---@field percent string
---@field used string
---@field limit string
---@field free string tokens free in the window, after the reserve
--- tokens left until it compacts; "" if nothing compacts; free and what is left begin with "≤" if mark is "≥"
---@field left string
---@field percentLeft string
---@field threshold string the compaction threshold in tokens; "" if nothing compacts
---@field thresholdPercent string
---@field thresholdPercentLeft string
---@field bar string

--- Facts are a short description of a session.
---@class (exact) ctx.Facts
---@field session string
---@field label string
---@field agent string
---@field model string
---@field workspace string
---@field title string
---@field branch string
---@field parent? string
---@field used integer
---@field limit? integer
---@field percent? number
---@field level ctx.Level
---@field basis ctx.Basis
---@field pending boolean
---@field activity ctx.Activity
---@field waitingFor string
---@field since? integer
---@field asOf? integer

--- Brief is a short description of a sub-agent, inside a Reading.
---@class (exact) ctx.Brief
---@field session string
---@field label string
---@field agent string
---@field model string
---@field workspace string
---@field title string
---@field branch string
---@field parent? string
---@field used integer
---@field limit? integer
---@field percent? number
---@field level ctx.Level
---@field basis ctx.Basis
---@field pending boolean
---@field activity ctx.Activity
---@field waitingFor string
---@field since? integer
---@field asOf? integer
---@field children ctx.Brief[]
---@field display ctx.Display

--- ListedSession is a short description of a session in the list of ctx/sessions, where sub-agents have their own
--- entries.
---@class (exact) ctx.ListedSession
---@field session string
---@field label string
---@field agent string
---@field model string
---@field workspace string
---@field title string
---@field branch string
---@field parent? string
---@field used integer
---@field limit? integer
---@field percent? number
---@field level ctx.Level
---@field basis ctx.Basis
---@field pending boolean
---@field activity ctx.Activity
---@field waitingFor string
---@field since? integer
---@field asOf? integer
---@field children string[]
---@field display ctx.Display

--- Tone is how a front end colors a row: like a level of compaction, less or more than its neighbors, or like them.
---@alias ctx.Tone
---| "plain"
---| "strong"
---| "quiet"
---| "ok"
---| "soon"
---| "now"
---| "over"

--- PanelForm is the form of a panel: a screen (short), or everything (long).
---@alias ctx.PanelForm
---| "short"
---| "long"

--- TimeForm is how a front end writes a time: the minutes until then, rounded up; the time that has passed since then;
--- or the time of day, with the date if that is another day.
---@alias ctx.TimeForm
---| "minutes"
---| "age"
---| "clock"

--- Panel is everything about a session in the order in which one reads it, in words. Front ends draw it row by row and
--- decide nothing.
---@class (exact) ctx.Panel
---@field sections ctx.PanelSection[]

--- PanelSection is a part of a panel. A front end may fold it.
---@class (exact) ctx.PanelSection
---@field id string
---@field title ctx.Text
---@field only? ctx.PanelForm the form that has the section; absent for both
---@field rows ctx.PanelRow[]

--- PanelRow is one fact, or one part of the window.
---@class (exact) ctx.PanelRow
---@field id string the fact's name, the same in every panel
---@field label? ctx.Text absent if the row continues the one before
---@field value? ctx.Text absent for a dated row
---@field short? ctx.Text the value in the short form, if it differs
---@field note? ctx.Text follows the value
---@field only? ctx.PanelForm The form that has the row; absent for both.
---@field tone? ctx.Tone absent for plain
---@field share? number share of the window
---@field bar? number length of its bar, in percent of the longest
---@field mark? number The compaction threshold's position in the bar of the window, which has the length share.
---@field kind? string of a part of the window: a Kind of the breakdown
---@field depth? integer of a sub-agent: how many are above it
---@field session? string the session that the row opens
---@field place? integer the line of the transcript that the row opens
---@field action? string the advice's action, which a front end may offer
--- Values that depend on the time: the last one that has begun applies. The row is absent before the first.
---@field dated? ctx.Dated[]

--- Dated is the value of a row from a time on.
---@class (exact) ctx.Dated
---@field from integer
---@field value? ctx.Text absent if the row is absent from then on
---@field at? integer the time that replaces the first {time} in value
---@field as? ctx.TimeForm how that time is written

--- HostRow is a row of the host's own, such as a session nearby. One with the id of a row takes its place, and removes
--- it if it has no value. The rows host, opening and transcript have their places.
---@class (exact) ctx.HostRow
---@field id string
---@field section? string for a row of a new id
---@field label? ctx.Sentence
---@field value? ctx.Sentence
---@field note? ctx.Sentence
---@field tone? ctx.Tone
---@field session? string
---@field place? integer
---@field action? string

--- Limits are the three numbers of a model's window, as known by the user. They take precedence over all other sources.
--- A window or an input of 0 is an error, and an output of 0 is unknown. In an update, a missing number stays
--- unchanged, and null withdraws it.
---@class (exact) ctx.Limits
---@field window? integer
---@field input? integer
---@field output? integer
--- The window depends on something unknown to the host, such as a plan: unknown until one is set or withdrawn.
---@field withheld? boolean

--- Rule is a compaction rule. If several are set, the lowest threshold applies.
---@class (exact) ctx.Rule
---@field percent? number share of the limit
---@field reserve? integer Output reserve: the maximum output, but at most this; 0 means 32,000.
--- With reserve: size after compaction, counted down from the window, or 80% of a window no larger than that.
---@field target? integer
---@field threshold? integer a fixed number of tokens

--- OpenParams are the parameters of ctx/session/open.
---@class (exact) ctx.OpenParams
---@field id? string
---@field scope? string the id's scope: a host with several clients gives each its own; the daemon refuses it
---@field agent? string The agent, which sets the compaction rule and the window table; default generic.
---@field agentVersion? string
---@field model? string as models.dev spells it, or a usual alias
---@field provider? string as models.dev spells it, or a usual alias
---@field route? string chat, responses, copilot, ...: decides how reasoning is sent again
---@field workspace? string
---@field checkout? string the session's own checkout of workspace
---@field mode? ctx.Mode default hybrid
---@field limits? ctx.Limits
---@field reserve? integer tokens kept for the response
---@field rule? ctx.RuleChoice default the agent's own
---@field reasoning? ctx.ReasoningMode learned if absent
---@field parent? string the parent's session id: of the same scope, or of none
---@field label? string its name for users
---@field title? string the agent's own title of the session; never a prompt
---@field branch? string the branch that the agent works on
--- The agent's own environment variables and settings that affect its threshold, by their own names. Others are
--- dropped.
---@field settings? table<string, string>
--- The host sends everything, fixed rows and items: rows estimated too short are scaled up to the measured prompt.
---@field complete? boolean
---@field tail? boolean The records begin within the conversation, so what its first prompt contained is unknown.
---@field hidePaths? boolean Show only the last element of file paths.
--- The process that runs the session and has its saved ledger, so that its past is unknown; 0 if unknown.
---@field heldBy? integer
---@field setAside? boolean The session's saved ledger is missing or cannot be restored, so its past is unknown.
---@field at? integer
---@field panel? boolean Add the panel to every Reading of the session, with these rows of the host.
---@field rows? ctx.HostRow[]
---@field strict? boolean An unknown model or provider is an error, whose data.known has the names that resemble it.
---@field key? string The secret key of the saved digests of messages. Without one, none are saved.
---@field shared? boolean the session has no owner: every client may join it
---@field resume? boolean continue from the saved ledger of this id, if there is one

--- Item is one piece of a conversation, with its text or its tokens. Tokens are taken as they are; the constants of the
--- model's framing are added only to a text.
---@class (exact) ctx.Item
--- Its row: user assistant toolCalls toolResults reasoning media summary documents memory system; or developer.
---@field kind ctx.Kind
---@field text? ctx.Body
---@field tokens? integer
---@field label? string for lists
---@field name? string name of the tool, for lists
--- The kind of its subject, for lists: with file, command, url, mcp, agent or skill, name is the path, command or tool.
---@field what? ctx.SubjectKind
---@field subject? string
---@field mediaType? string
---@field width? integer
---@field height? integer
---@field pages? integer
---@field seconds? integer
---@field error? boolean marks a failed tool result
---@field reply? boolean false: no request of this session produced it
---@field opaque? integer length of a signed or encrypted block
---@field providerMetadata? ctx.Foreign For reasoning, as in the AI SDK: the longest string in it is used as opaque.
---@field parameters? integer number of parameters of a tool call
---@field hidden? boolean sent, but not shown to the user
--- How many tokens are sent around the text, in addition to the constants of the model's framing.
---@field wrapping? integer

--- Part is a piece of a fixed row, with its text or its tokens.
---@class (exact) ctx.Part
---@field text? ctx.Body
---@field tokens? integer
---@field label? string
---@field deferred? boolean listed, but not in the window until it is loaded
---@field ephemeral? boolean For memory: it comes with its turn and leaves with it, like documents.

--- Replacement replaces an item with another.
---@class (exact) ctx.Replacement
---@field index integer
---@field item ctx.Item
---@field reason? string

--- UpdateParams are the parameters of ctx/session/update: the changes.
---@class (exact) ctx.UpdateParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field model? string
---@field provider? string
---@field route? string
---@field strict? boolean as in ctx/session/open, for this call's model and provider
---@field mode? ctx.Mode mode of the Readings from now on
---@field limits? ctx.Limits
--- The agent's own report of its window in this session, such as the message for its status line.
---@field agentLimits? ctx.Limits
---@field reserve? integer
---@field rule? ctx.RuleChoice
---@field system? ctx.Content
---@field tools? ctx.Content
---@field mcpTools? ctx.Content
---@field skills? ctx.Content
---@field agents? ctx.Content
---@field memory? ctx.Content
---@field documents? ctx.Content documents of the current turn; they leave with it
--- Content that the agent loads automatically, as found on disk. It names parts of measured prompts and adds nothing.
---@field loaded? ctx.Loaded
---@field append? ctx.Appendix[] items at the end, or messages as the provider shapes them
---@field replace? ctx.Replacement[] items that replace others
---@field removeFrom? integer This item and all later ones are removed, as in a rewind; 0 clears the conversation.
--- How many of the oldest items are no longer sent, as in a sliding window; they keep their positions.
---@field removeFirst? integer
--- start when the user sends a message, end when the agent is done; otherwise a user item after a response starts one.
---@field turn? ctx.Turn
---@field draft? ctx.Draft part of used, replaced as a whole; the next user item also clears it
---@field complete? boolean as in ctx/session/open
---@field title? string outranks what records say; "" clears it
---@field branch? string
--- The agent's activity as seen by the host, until an item, a usage or a turn follows; "" withdraws it.
---@field activity? ctx.Activity
---@field waitingFor? ctx.WaitingFor only with the activity waiting
---@field since? integer only with activity: when it began; otherwise now
---@field at? integer
---@field unreadAt? integer When an agent last wrote in the session's workspace in a form that the host cannot read.
---@field unreadBy? string the agent that wrote at unreadAt; the session's own if absent
--- Whether the host has yet to read records that the agent has written; the numbers are marked until it sends false.
---@field behind? boolean
--- The agent's own number for its prompt, newer than its records, until the conversation continues.
---@field reported? integer
---@field reportedAt? integer only with reported: when the agent reported it
---@field rows? ctx.HostRow[] The host's rows of the panel, instead of those before.

--- MessagesParams are the parameters of ctx/session/messages.
---@class (exact) ctx.MessagesParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
--- All messages of the conversation, the oldest first, as the provider or the host's library shapes them.
---@field messages ctx.Appendix[]
---@field compacted? boolean true: messages were replaced by a summary; false: they were not. It is inferred if absent.
---@field at? integer

--- Loaded is the content that an agent loads automatically when a session begins: the texts of memory files, and its
--- lists of skills and agents. Each is an array of Parts, which replaces the previous one.
---@class (exact) ctx.Loaded
---@field memory? ctx.Content
---@field skills? ctx.Content
---@field agents? ctx.Content
---@field servers? string[] MCP servers in the agent's configuration
--- When servers' configuration and memory files changed, for agents that reread them without a record.
---@field serversChanged? integer
---@field memoryChanged? integer
---@field unknown? ctx.Sentence[] messages about content that could not be found, and why

--- UsageParams are the parameters of ctx/session/usage.
---@class (exact) ctx.UsageParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field request? string the response's id: a report with the same id replaces the earlier one
---@field provider? string recognized by the shape of usage if absent
---@field usage ctx.Foreign usage object, response or stream event; Usage for provider ctx
--- How many items the prompt contained. By default all except those that the model wrote at the end.
---@field through? integer
---@field final? boolean false for a chunk of a stream
---@field counted? boolean the provider counted this prompt and did not run it
--- The usage may be invented by its source: numbers based on it are estimated, and nothing is learned from it.
---@field reported? boolean
---@field at? integer

--- Usage is the normalized usage of provider ctx.
---@class (exact) ctx.Usage
---@field in? integer the whole prompt, cached tokens included
---@field out? integer
---@field reasoning? integer included in out
---@field cacheRead? integer included in in, like cacheWrite
---@field cacheWrite? integer
---@field window? integer the limit, if the provider reports it with the usage

--- ErrorParams are the parameters of ctx/session/error.
---@class (exact) ctx.ErrorParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field provider? string
---@field error ctx.Foreign an object or a text
---@field status? integer HTTP status
---@field reported? boolean The error may be invented by its source: only its limit is used.
---@field at? integer

--- CompactedParams are the parameters of ctx/session/compacted.
---@class (exact) ctx.CompactedParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field trigger? ctx.Trigger default manual
---@field summary? ctx.Summary
---@field kept? integer how many of the last items remain
---@field tokens? integer the remaining tokens, if the caller knows
---@field before? integer
---@field at? integer

--- RecordsParams are the parameters of ctx/session/records.
---@class (exact) ctx.RecordsParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field agent? string recognized from the records if absent
---@field records ctx.Foreign[] raw records, strings that hold them, or {"skipped": bytes}
---@field line? integer The transcript line of the first record, if each record is on the line after the previous one.
---@field open? ctx.Opening open the session if there is none
---@field steps? boolean return the predictions that were verified
---@field inferred? boolean with steps: infer causes of cache breaks instead of reading those that the agent recorded
---@field reading? boolean false: return no Reading
---@field wanted? boolean return the files with unrecorded content
---@field at? integer
---@field shared? boolean as in ctx/session/open

--- RecordsAnswer is the result of ctx/session/records with steps or wanted.
---@class (exact) ctx.RecordsAnswer
---@field reading? ctx.Reading
---@field steps ctx.Step[]
---@field wanted ctx.WantedFile[]

--- WantedFile is a file that the agent uses, with content that it sends without a record.
---@class (exact) ctx.WantedFile
---@field path string as written in the record, perhaps relative to the workspace
--- mentioned by the user; read, readInPart or written by the agent; forgotten, without a path, if all were removed.
---@field use string
---@field at? integer time of the record
---@field sent boolean set if a prompt that contains it was measured since

--- Step is one prediction and its measurement.
---@class (exact) ctx.Step
---@field session string
---@field model string
---@field call integer
---@field kind string tool, user, resume, compaction or model
---@field predicted integer
---@field low integer low and high: the range that was given, which contains 90% of steps
---@field high integer
---@field actual integer
---@field redacted boolean a new text had been redacted in the transcript
---@field texts integer in the tool loop: tokens of new texts before any correction; 0 if anything else was estimated
---@field held integer the size of these texts in the request
---@field error integer predicted - actual
---@field percent number percentage of the measured size
---@field turn integer
---@field landing? ctx.Range Landing is the predicted size after a compaction, for the first request after it.
---@field forecasts ctx.Forecast[] forecasts made after this request was measured
---@field return? ctx.Return set for the first request after a pause
---@field cacheBreak? ctx.CacheBreak set if the request wrote to the cache again what the previous one had left there

--- CacheBreak is a request that wrote to the cache again what the previous request had left there.
---@class (exact) ctx.CacheBreak
---@field request string the id of the response; "" if it is not kept
---@field at? integer when it was answered
---@field call integer
---@field cause string time, compaction, messages, model, effort, tools, system, process, provider or unknown
---@field recorded boolean the provider or the agent named the cause
---@field written integer tokens written again, without the growth of the conversation
---@field unread boolean the provider reports no writes, so written is only what was not read from the cache
---@field kept integer tokens read from the cache

--- Return compares the first request after a pause of more than five minutes with the forecast before it.
---@class (exact) ctx.Return
---@field back ctx.Back the forecast
---@field used integer the prompt size it was made for
---@field pause integer since the last request, in milliseconds
---@field sent? integer when the request was sent
---@field read integer tokens that it read from the cache
---@field wrote integer the rest of its prompt
---@field cold boolean it did not read the conversation
---@field compacted boolean the conversation was compacted in the pause

--- Forecast is how many calls and turns were predicted to fit below a threshold.
---@class (exact) ctx.Forecast
---@field threshold integer
---@field calls ctx.Range
---@field turns ctx.Range

--- ReadingParams are the parameters of ctx/session/reading.
---@class (exact) ctx.ReadingParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field mode? ctx.Mode mode of this result; default the session's own
---@field panel? boolean add the panel to this result
---@field rows? ctx.HostRow[] Rows of the host in this panel, after those of the session.

--- SessionsParams are the parameters of ctx/sessions.
---@class (exact) ctx.SessionsParams
---@field scope? string List the sessions of this scope, and those without a scope whose ids are free in it.
---@field mode? ctx.Mode mode of this result; default each session's own

--- SessionParams name a session.
---@class (exact) ctx.SessionParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open

--- NoParams are the parameters of a method without any.
---@alias ctx.NoParams table

--- SessionsAnswer is the result of ctx/sessions.
---@class (exact) ctx.SessionsAnswer
---@field sessions ctx.ListedSession[]

--- HistoryParams are the parameters of ctx/session/history.
---@class (exact) ctx.HistoryParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field points? integer maximum number of points; default 200

--- HistoryAnswer is the history of a session.
---@class (exact) ctx.HistoryAnswer
---@field points ctx.HistoryPoint[]
---@field compactions ctx.HistoryCompaction[]
---@field verdicts ctx.Verdict[] the last 20 compactions, the oldest first
---@field moves ctx.ThresholdMove[] the last 20 changes of the threshold, the oldest first
---@field breaks ctx.DetailedBreak[] the last 64 breaks of the cache, the oldest first
---@field threshold? integer
---@field limit? integer

--- HistoryPoint is one measured prompt.
---@class (exact) ctx.HistoryPoint
---@field at? integer
---@field call integer
---@field used integer
---@field percent? number share of the present limit

--- HistoryCompaction is one compaction.
---@class (exact) ctx.HistoryCompaction
---@field at? integer
---@field call integer
---@field before? integer
---@field after? integer
---@field trigger ctx.Trigger

--- ItemsParams are the parameters of ctx/session/items.
---@class (exact) ctx.ItemsParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field top? integer maximum number of items; default 20

--- ItemsAnswer lists the largest entries: all items with the same name, or one item without a name.
---@class (exact) ctx.ItemsAnswer
---@field items ctx.LargeItem[]
---@field total integer number of items in the conversation

--- FitsParams are the parameters of ctx/session/fits.
---@class (exact) ctx.FitsParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field parts ctx.Content the texts, or their tokens; labels are returned with each
---@field phrases? boolean add the phrase of the text

--- FitsAnswer describes the next request with the parts added.
---@class (exact) ctx.FitsAnswer
---@field tokens integer tokens added by the parts and the frame of their message
---@field basis ctx.Basis basis of tokens
---@field used integer size of the next request with the parts
---@field limit? integer
---@field percent? number used as a percentage of the limit
---@field free? integer
---@field threshold? integer the compaction threshold
---@field thresholdPercent? number used as a percentage of the threshold
---@field left? integer
---@field level ctx.Level now or over: the agent compacts
---@field parts ctx.FitsPart[] the largest first
---@field fewer? ctx.Fewer the next request with only the parts that fit; null if all fit, and if none does
---@field phrase? ctx.Phrase the text as a phrase, if phrases were asked for
---@field text string the result in one line, for users

--- FitsPart is one of the texts of ctx/session/fits.
---@class (exact) ctx.FitsPart
---@field label string
---@field tokens integer
---@field basis ctx.Basis
---@field leftOut? boolean would have to be left out; fewer describes the rest

--- Fewer describes the next request without the parts that are left out.
---@class (exact) ctx.Fewer
---@field tokens integer tokens added by the other parts
---@field used integer
---@field percent? number
---@field thresholdPercent? number
---@field level ctx.Level

--- LargeItem is one of the largest entries of a conversation, with its name and size, not its text.
---@class (exact) ctx.LargeItem
---@field index integer index of its largest item
---@field kind ctx.Kind kind of its largest item
---@field what ctx.SubjectKind the kind of its subject
---@field label ctx.Text its name: Read src/api.go, Bash npm test, mcp:github get_issue
---@field times integer how often it was called, read or shown
---@field tokens integer
---@field basis ctx.Basis
---@field share? number share of the window
---@field bar number length of its bar, in percent of the largest one's
---@field place? integer the transcript line of its largest item, if known

--- SaveAnswer is the result of ctx/session/save.
---@class (exact) ctx.SaveAnswer
---@field ledger ctx.Ledger

--- Ledger is a saved session: counts, labels and the title, no other text.
---@class (exact) ctx.Ledger
---@field schema string ctx.ledger/ and a fingerprint of the saved state; ledgers of other builds are not restored
---@field session string
---@field parent? string for hosts that keep parents and sub-agents together
---@field settings table<string, string>
---@field names string[]
---@field state string base64
---@field reader? ctx.ReaderState only if the session is read from a transcript

--- ReaderState is what the reader of a transcript remembers of earlier records: counts, ids, hashes and labels, at most
--- 128 KiB. A larger state is left out.
---@class (exact) ctx.ReaderState
---@field agent string
---@field format string a fingerprint of the state that the agent's readers save
---@field names string[]
---@field state string base64

--- RestoreParams are the parameters of ctx/session/restore.
---@class (exact) ctx.RestoreParams
---@field ledger ctx.SavedLedger
---@field id? string replaces the ledger's own id
---@field scope? string the id's scope; see ctx/session/open
---@field parent? string
---@field key? string the key that ctx/session/open was given
---@field older? boolean the newest ledger is lost, so the number is marked until a request is measured
---@field shared? boolean as in ctx/session/open

--- ImportProblem is the reason why an import fails; empty if it does not.
---@alias ctx.ImportProblem
---| "missing"
---| "outside"
---| "tooLarge"
---| "unreadable"

--- LimitOf is the source of the window that a prompt file is compared with: the session that it is opened for,
--- otherwise the agent's assumption about the model, otherwise the model itself; empty if none is known.
---@alias ctx.LimitOf
---| "session"
---| "agent"
---| "model"

--- DrawnPart is one of the parts that an editor draws.
---@alias ctx.DrawnPart
---| "lenses"
---| "hints"
---| "hovers"
---| "links"
---| "diagnostics"
---| "breakdown"

--- TextUnits is the unit in which characters of a line are counted, as in LSP.
---@alias ctx.TextUnits
---| "utf-8"
---| "utf-16"
---| "utf-32"

--- DocumentOpenParams are the parameters of ctx/document/open.
---@class (exact) ctx.DocumentOpenParams
---@field id string the document's URI
---@field set? string documents of the same set may import one another
---@field scope? string the set's scope; see ctx/session/open
---@field path? string relative to the workspace, or ~/...; default id
---@field text ctx.Body
---@field model? string the model to count for; default the one that the kind of file suggests
---@field provider? string
---@field limit? integer limit of the session that it is opened for; shares are divided by it
---@field agent? string the agent whose loading rules apply if several agents read the file
---@field show? ctx.ShowOptions

--- DocumentChangeParams are the parameters of ctx/document/change.
---@class (exact) ctx.DocumentChangeParams
---@field id string
---@field set? string
---@field scope? string the set's scope; see ctx/session/open
---@field version? integer the host's own number; changes come in order
---@field changes? ctx.DocumentChange[] each applies to the result of the previous one
---@field imports? ctx.ImportTarget[] the target of each import, as found by the host
---@field model? string to count for from now on; null or "" for what the kind of file suggests
---@field provider? string
---@field limit? integer with model, as in open
---@field show? ctx.ShowOptions

--- DocumentChange replaces bytes of the text, or all of it if from and to are absent.
---@class (exact) ctx.DocumentChange
---@field from? integer
---@field to? integer
---@field text ctx.Body

--- ImportTarget is the target of an import: the document that the host opened for it, or the reason why there is none.
---@class (exact) ctx.ImportTarget
---@field target string
---@field id? string
---@field problem? ctx.ImportProblem

--- ShowOptions set which parts of a view are returned.
---@class (exact) ctx.ShowOptions
---@field view? boolean false: no view
---@field sections? boolean false: no sections
---@field from? integer sections that overlap these bytes
---@field to? integer
---@field findings? boolean false: no findings
---@field budget? ctx.DocumentBudget
---@field with? string[] other documents that are always loaded with it
---@field draw? ctx.DrawnPart[] the parts of drawn; only hints and hovers that overlap from and to
---@field units? ctx.TextUnits the unit of positions in drawn; default utf-16
---@field plain? boolean hovers and the breakdown without Markdown
---@field phrases? boolean add phrases to drawn and findings

--- DocumentBudget is how many tokens a file may have, its imports included, before it gets a finding; 0 for no limit.
---@class (exact) ctx.DocumentBudget
---@field always? integer limit for content that is in every request
---@field loaded? integer limit for the rest

--- DocumentViewParams are the parameters of ctx/document/view.
---@class (exact) ctx.DocumentViewParams
---@field id string
---@field set? string
---@field scope? string the set's scope; see ctx/session/open
---@field show? ctx.ShowOptions

--- DocumentParams name a document.
---@class (exact) ctx.DocumentParams
---@field id string
---@field set? string
---@field scope? string the set's scope; see ctx/session/open

--- DocumentView is a prompt file and its size. Positions are byte offsets.
---@class (exact) ctx.DocumentView
---@field schema "ctx.document/1" "ctx.document/1"
---@field id string
---@field path string
---@field kind string
---@field title string
---@field agent string the agent whose loading rules apply
---@field model string the model that it is counted for
---@field modelChosen boolean
---@field load ctx.DocumentLoad
---@field tokens integer tokens of the file itself
---@field basis ctx.Basis
---@field listed integer tokens of the description that is loaded before the rest
---@field imported integer tokens of all imported files, each counted once
---@field files integer number of imported files
---@field total integer tokens + imported
---@field share? number share of the limit
---@field limit? integer limit of the window; null if unknown
---@field limitOf ctx.LimitOf
---@field sections ctx.Section[] the requested sections
---@field sectionCount integer number of all sections
---@field imports ctx.DocumentImport[]
---@field findings ctx.Finding[]
---@field display ctx.DocumentDisplay
---@field drawn? ctx.Drawn only if draw was given

--- DocumentLoad describes when an agent loads the file.
---@class (exact) ctx.DocumentLoad
---@field when "always"|"path"|"demand" "always", "path" or "demand"
---@field globs string[] patterns of the paths that it is loaded for
---@field why string the reason, as a message

--- Section is a heading and the text below it.
---@class (exact) ctx.Section
---@field title string
---@field level integer
---@field from integer start of the heading's line
---@field to integer
---@field end integer end of the section, with those below it
---@field own integer tokens up to the next heading
---@field tokens integer tokens with the sections below it
---@field display string
---@field ownDisplay string

--- DocumentImport is a reference to another file, and the tokens that it adds.
---@class (exact) ctx.DocumentImport
---@field target string
---@field from integer
---@field to integer
---@field id string the document that it leads to
---@field problem string missing, outside, tooLarge, unreadable, circular, tooDeep or repeated
---@field tokens integer
---@field all integer tokens with its own imports
---@field display string

--- Finding is a problem in a prompt file.
---@class (exact) ctx.Finding
---@field from integer
---@field to integer
---@field severity integer as in LSP: 1 error, 2 warning, 3 information, 4 hint
---@field code string
---@field message string
---@field phrase? ctx.Phrase the message as a phrase, if phrases were asked for
---@field other? ctx.OtherFinding

--- OtherFinding is another location that a finding concerns, in this or another document.
---@class (exact) ctx.OtherFinding
---@field id string
---@field from integer
---@field to integer
---@field message string
---@field phrase? ctx.Phrase

--- DocumentDisplay holds the short texts of a view.
---@class (exact) ctx.DocumentDisplay
---@field mark string "~" estimated, "" otherwise
---@field tokens string
---@field imported string
---@field total string
---@field listed string
---@field share string
---@field limit string

--- Drawn contains the texts that an editor draws in a prompt file, finished and in English, with their positions. Parts
--- that were not requested are absent.
---@class (exact) ctx.Drawn
---@field lenses? ctx.DocumentLens[]
---@field hints? ctx.DocumentHint[]
---@field hovers? ctx.DocumentHover[] the first one that contains a position is shown
---@field links? ctx.DocumentLink[]
---@field diagnostics? ctx.DocumentDiagnostic[]
---@field breakdown? string the whole file, in Markdown
---@field breakdownPhrase? ctx.Phrase the breakdown as a phrase

--- TextPosition is a position in a text: a line and a character in it, from 0.
---@class (exact) ctx.TextPosition
---@field line integer
---@field character integer in the requested unit

--- TextRange is the text between two positions.
---@class (exact) ctx.TextRange
---@field start ctx.TextPosition
---@field end ctx.TextPosition

--- DocumentLens is a line above the text: the file's size, and when it is loaded.
---@class (exact) ctx.DocumentLens
---@field range ctx.TextRange
---@field title string
---@field phrase? ctx.Phrase the title as a phrase, if phrases were asked for

--- DocumentHint appears after a heading, or after a line that imports.
---@class (exact) ctx.DocumentHint
---@field position ctx.TextPosition
---@field label string
---@field tooltip string
---@field phrase? ctx.Phrase the tooltip as a phrase

--- DocumentHover is a hover for a range of the text.
---@class (exact) ctx.DocumentHover
---@field range ctx.TextRange
---@field text string Markdown that shows names as plain text; no Markdown with plain
---@field phrase? ctx.Phrase the text as a phrase

--- DocumentLink is a link to an imported document.
---@class (exact) ctx.DocumentLink
---@field range ctx.TextRange
---@field id string the document that it leads to
---@field tooltip string
---@field phrase? ctx.Phrase the tooltip as a phrase

--- DocumentDiagnostic is a Finding with its range.
---@class (exact) ctx.DocumentDiagnostic
---@field range ctx.TextRange
---@field severity integer as in LSP
---@field code string
---@field message string
---@field phrase? ctx.Phrase the message as a phrase
---@field related? ctx.DocumentReference

--- DocumentReference is another location that a diagnostic concerns.
---@class (exact) ctx.DocumentReference
---@field id string the document's ID
---@field range ctx.TextRange
---@field message string
---@field phrase? ctx.Phrase the message as a phrase

--- CountParams are the parameters of ctx/count: one text or several, for a model or by an encoding.
---@class (exact) ctx.CountParams
---@field text? ctx.Body
---@field texts? ctx.Body[] alternative to text
---@field model? string
---@field provider? string
---@field encoding? string alternative to model and provider
---@field as? string "message": as the one message of a user, with its frame
---@field boundaries? boolean also return the ends of tokens
---@field strict? boolean as in ctx/session/open
---@field exact? ctx.ExactCount alternative to all of these: let the provider count

--- ExactCount is a request that the provider itself should count, because the user asked for it. Only the daemon
--- supports it, and only this uses a network.
---@class (exact) ctx.ExactCount
---@field api string anthropic, openai, gemini, bedrock, vllm, llama.cpp, ...
---@field model? string replaces the request's
---@field request ctx.Foreign the body that would be sent
---@field baseUrl? string a server on this machine, without a path; it gets no key
---@field session? string the session that the result calibrates
---@field through? integer how many of its items the request contains

--- CountAnswer is the result of ctx/count.
---@class (exact) ctx.CountAnswer
---@field tokens integer
---@field basis ctx.Basis
---@field encoding string "" if the model has no public one
---@field note? string why the count is an estimate: a doubt about the vocabulary, or an unknown model
---@field notePhrase? ctx.Phrase the same as a phrase
---@field similarModels? string[] Known models that resemble an unknown one; absent without any.
---@field texts? integer[] the count of each of several texts
---@field boundaries? integer[] ends of tokens, in bytes of text

--- ExactAnswer is the result of ctx/count for an exact count.
---@class (exact) ctx.ExactAnswer
---@field api string
---@field model? string
---@field tokens integer
---@field basis ctx.Basis estimated if the provider's count covers text only
---@field window? integer only if the provider reports it
---@field original? integer size before the provider's own context editing
---@field cached? integer
---@field note? string
---@field reading? ctx.Reading Reading of the calibrated session

--- ModelsParams are the parameters of ctx/models.
---@class (exact) ctx.ModelsParams
---@field query? string a name or a part of an id; default everything

--- ModelsAnswer is the result of ctx/models.
---@class (exact) ctx.ModelsAnswer
---@field models ctx.Model[]

--- Model is a model in the registry.
---@class (exact) ctx.Model
---@field id string
---@field provider string
---@field window? integer
---@field input? integer
---@field output? integer
---@field sharing "shared"|"separate" "shared" or "separate"
---@field encoding string "" if it is not public
---@field family string family of tokenizers
---@field reasoning string
---@field source string where the numbers were found
---@field date string when they were found

--- LearnedParams are the parameters of ctx/learned/set.
---@class (exact) ctx.LearnedParams
---@field learned ctx.SavedLessons as ctx/learned/get returned it; null or {} drops everything

--- LearnedAnswer is the result of ctx/learned/get.
---@class (exact) ctx.LearnedAnswer
---@field learned ctx.Learned

--- Learned are the corrections learned from earlier and open sessions, for the host to store. They contain no text.
---@class (exact) ctx.Learned
---@field lessons ctx.Lesson[] the oldest first
---@field limits ctx.LimitsLesson[] limits shown by sessions

--- LimitsLesson is the compaction threshold, the window, the reserve and the size after a compaction as shown by
--- sessions: those with the same agent, version up to its second number, model and workspace.
---@class (exact) ctx.LimitsLesson
---@field key string a fingerprint of the kind
---@field agent string
---@field model string
---@field rule? integer The rule's threshold and the limit, which are the settings that the rest belongs to.
---@field limit? integer
---@field compacted integer the smallest prompt that the agent compacted automatically; 0 without one
---@field refuted boolean requests passed the rule's threshold
---@field base? integer the limit that a refusal or accepted prompts corrected; null if none did
---@field window? integer the corrected total
---@field input? integer the corrected largest prompt
---@field reserve integer reserved by a refused request; 0 if none was
---@field landings integer[] prompts after compactions, the oldest first
---@field sessions string[] Fingerprints of the sessions that showed the threshold, and of the last session.
---@field last string
---@field at? integer when the last session measured last

--- Lesson are the corrections learned from sessions of one kind: an agent, its version, a model and a workspace.
---@class (exact) ctx.Lesson
---@field key string a fingerprint of the kind
---@field place string a fingerprint of the agent and the workspace; 0 if unknown
---@field agent string
---@field model string
---@field session string a fingerprint of the last session
---@field bases integer[] residuals of first prompts
---@field afterBase? integer residual of the second request
---@field second? integer unrecorded tokens of the second request after a compaction
---@field actual integer actual tokens of estimated texts
---@field estimated integer estimates of these texts
---@field reasoning ctx.ReasoningMode
---@field steps integer
---@field at? integer time of the last measurement
--- Tokens of system, tools, mcpTools, skills, agents, memory and documents, as set by the host; empty if none were set.
---@field rows integer[]
---@field paces ctx.Pace[] growth of the last sessions, the oldest first

--- Pace is the growth of a session: its tokens, in how many steps from one request to the next, and its requests, in
--- how many turns.
---@class (exact) ctx.Pace
---@field tokens integer
---@field steps integer
---@field requests integer
---@field turns integer

--- Refused is the shape of an error.
---@class (exact) ctx.Refused
---@field code integer
---@field message string a message for users
---@field data ctx.RefusedData

--- RefusedData is the message of a refusal in a form for programs.
---@class (exact) ctx.RefusedData
---@field kind ctx.ErrorKind
---@field field? string the parameter that was wrong
---@field name? string the session, method or vocabulary
---@field known? string[] the accepted words

--- LinesParams are the parameters of ctx/lines.
---@class (exact) ctx.LinesParams
--- A Reading, or a short description of a session, as it was received; without one the templates are only checked.
---@field reading? ctx.Foreign
---@field lines table<string, ctx.Template> one or more lines, each with a name chosen by the caller
---@field words? table<string, string> the caller's own fields, and translations

--- Template is the template of a line, or a list of templates, the longest first: the first with a value for all its
--- fields is used, otherwise the last.
---@alias ctx.Template string|string[]

--- LinesAnswer is the result of ctx/lines.
---@class (exact) ctx.LinesAnswer
---@field lines table<string, string> the finished texts, by the same names; none without a Reading

--- Reason is the reason why a session is the focused one: the item that led to it, or elsewhere if none did.
---@alias ctx.Reason
---| "session"
---| "terminal"
---| "process"
---| "file"
---| "workspace"
---| "elsewhere"

--- WatchParams are the parameters of ctx/watch.
---@class (exact) ctx.WatchParams
---@field workspace? string a path or a file URI; default everything
--- The folders that the client shows, which decide what is here and what is elsewhere; default the workspace.
---@field folders? string[]
---@field workDoneToken? ctx.Foreign LSP's token for the progress of reading sessions
--- The mode of all Readings that this client gets until the next ctx/watch; default each session's own.
---@field mode? ctx.Mode
--- Like in ctx/lines: until the next ctx/watch, every Reading that this client gets contains these lines, finished.
---@field lines? table<string, ctx.Template>
---@field words? table<string, string> like in ctx/lines
--- Add the first words of the first prompt to Readings and to ctx/earlier, for sessions without a title.
---@field openings? boolean
--- Add the panel to all Readings until the next ctx/watch. ctx/session/reading returns that of one session.
---@field panel? boolean

--- WatchAnswer is the result of ctx/watch.
---@class (exact) ctx.WatchAnswer
---@field sessions ctx.Reading[] sessions that were read within 1.5 s; the others arrive as ctx/reading
--- The whole repository of each folder, or the folder itself. A session that started in, below or above one is here.
---@field roots string[]
--- Sessions are still being searched or read, for example because the engine is being compiled; ctx/searched ends it.
---@field searching boolean

--- EarlierParams are the parameters of ctx/earlier.
---@class (exact) ctx.EarlierParams
---@field workspace? string a path or a file URI; default everything
---@field limit? integer maximum number of sessions, the newest; default 50, at most 500

--- EarlierAnswer is the result of ctx/earlier.
---@class (exact) ctx.EarlierAnswer
---@field sessions ctx.Earlier[] the newest first
---@field more boolean whether there are older ones

--- Earlier is a session that is not read until ctx/focus names it.
---@class (exact) ctx.Earlier
---@field session string
---@field agent string
---@field title string "" without one
--- The first words of the first prompt of a session without a title, if ctx/watch asks; to be shown only.
---@field opening? string
---@field workspace string the directory that it was started in
---@field host? string the program that runs it for its agent; absent otherwise
---@field started? integer milliseconds since 1970
---@field modified integer milliseconds since 1970
--- How full its window is, from the end of its transcript; null if it is older than a day or too large.
---@field glimpse? ctx.Glimpse

--- Glimpse is a preview of a window from the end of a transcript, like a Reading.
---@class (exact) ctx.Glimpse
---@field model string
---@field used integer
---@field limit? integer
---@field percent? number
---@field basis ctx.Basis
---@field display ctx.Display
---@field part boolean only the end was counted, and nothing in it was measured: the real size is at least this

--- HandoverParams are the parameters of ctx/handover.
---@class (exact) ctx.HandoverParams
---@field id string a session of this machine
---@field tokens? integer maximum length of the note; default 2,000, at least 150
---@field unredacted? boolean Keep values that look like secrets.

--- HandoverAnswer is the result of ctx/handover: the note, and the data in it.
---@class (exact) ctx.HandoverAnswer
---@field session string
---@field text string Markdown
---@field tokens integer length of text
---@field basis ctx.Basis basis of tokens
---@field asked integer maximum length that was requested
---@field firstAsked string
---@field lastAsked string "" if that is the first
---@field lastAnswer string
---@field todos ctx.HandoverTodo[]
---@field files ctx.HandoverFile[] changed files first, then read ones, each list with the latest first
---@field failing ctx.HandoverFailure[] the latest first
---@field compactions integer
---@field skipped integer records that could not be read
---@field struck integer values in the texts that look like secrets

--- TodoState is the state of an entry in an agent's list.
---@alias ctx.TodoState
---| "open"
---| "doing"
---| "done"

--- HandoverTodo is an entry of the agent's own list.
---@class (exact) ctx.HandoverTodo
---@field text string
---@field state ctx.TodoState

--- HandoverFile is a file that the agent changed or read.
---@class (exact) ctx.HandoverFile
---@field path string
---@field changes integer calls that changed it; 0 if it was only read
---@field reads integer

--- HandoverFailure is a command that failed and has not succeeded since.
---@class (exact) ctx.HandoverFailure
---@field command string
---@field exit integer
---@field output string the last 2,000 characters
---@field ago integer commands that ran since

--- SeesParams are the parameters of ctx/sees.
---@class (exact) ctx.SeesParams
---@field id string a session of this machine
---@field path string a file of the session's workspace
---@field text? string The text of the file in the editor, if it is not saved.

--- SeesAnswer is the result of ctx/sees: what the next request holds of a file. It has no text of the file.
---@class (exact) ctx.SeesAnswer
---@field session string
---@field path string
---@field lines integer 0 if the file is not in the workspace or cannot be read
---@field held integer of these, the lines that are verbatim or own
---@field ranges ctx.SightRange[] in order and without gaps
---@field text ctx.Text all of this as a message

--- SightState is what the next request holds of a line: the line as it is, the line as the agent wrote it, its place
--- with another text, only a summary that names the file, nothing any more, or nothing at all. It is unknown if the
--- record does not show it.
---@alias ctx.SightState
---| "verbatim"
---| "own"
---| "stale"
---| "summarized"
---| "gone"
---| "never"
---| "unknown"

--- SightRange is lines in the same state.
---@class (exact) ctx.SightRange
---@field from integer 1 is the first line
---@field to integer the last line
---@field state ctx.SightState
---@field item? string the item that holds the lines, or held them
---@field at? integer when it was added, and for gone lines when they left
---@field text ctx.Text the state and the item

--- ForgotParams are the parameters of ctx/forgot.
---@class (exact) ctx.ForgotParams
---@field id string a session of this machine
---@field compaction? integer number of the compaction, 1 for the first; default the last
---@field unredacted? boolean keep values that look like secrets

--- ForgotAnswer is the result of ctx/forgot: the content of the window before a compaction, and what became of it.
---@class (exact) ctx.ForgotAnswer
---@field session string
---@field compaction integer
---@field compactions integer number of compactions so far
---@field at? integer milliseconds since 1970
---@field auto boolean the agent compacted automatically
---@field summary string "" if it is not recorded
---@field summaryTells boolean false if the summary is not recorded
---@field items ctx.ForgotItem[] those that have tokens, in their order
---@field largest ctx.ForgotThing[] the ten largest that are gone, or unknown; the largest first
---@field more ctx.ForgotSum the others that are gone, or unknown
---@field kept ctx.ForgotSum
---@field inSummary ctx.ForgotSum
---@field gone ctx.ForgotSum
---@field unknown ctx.ForgotSum if the summary is not recorded
---@field total integer tokens of all items
---@field after? ctx.ForgotAfter the agent's own size; null if it records none
---@field reasoning integer number of reasoning items, which are not listed
---@field basis ctx.Basis basis of the tokens
---@field struck integer values in the texts that look like secrets
---@field text string a line for users

--- ForgotState is what became of an item in a compaction: it is still sent, the summary mentions it, or it is gone. It
--- is unknown if the summary is not recorded.
---@alias ctx.ForgotState
---| "kept"
---| "inSummary"
---| "gone"
---| "unknown"

--- ForgotItem is a message, a call with its result, or a file with everything that was read from it and written to it.
---@class (exact) ctx.ForgotItem
---@field kind string
---@field label string
---@field excerpt string the beginning of a message
---@field tokens? integer null if not counted
---@field state ctx.ForgotState
---@field kept integer tokens of it that are still sent; with the state kept, the rest is dropped
---@field names integer number of names in it that few other items have
---@field found integer number of these names in the summary
---@field missing string[] up to five of the missing names

--- ForgotThing is all items of one name that were dropped, or the dropped part of a kept one. Of unrecorded summaries
--- it is all that is unknown.
---@class (exact) ctx.ForgotThing
---@field kind string of its first item
---@field label string
---@field excerpt string the beginning of a message
---@field tokens integer
---@field items integer number of items of this name

--- ForgotAfter compares the agent's own size of the messages after a compaction with the transcript. The first six
--- numbers are in the agent's measure, a quarter of the characters; the others are counted for the model.
---@class (exact) ctx.ForgotAfter
---@field reported integer the agent's number, without the system prompt and the tools
---@field found integer the transcript's: summary + messages + attached
---@field summary integer part of found
---@field messages integer messages kept verbatim, part of found
---@field attached integer files, hooks and other content sent with the summary, part of found
---@field notFound integer reported - found; negative if the transcript contains more
---@field agrees boolean notFound is at most a tenth of reported
---@field tokens integer keptTokens + summaryTokens + addedTokens
---@field keptTokens integer tokens of kept
---@field summaryTokens integer tokens of the summary
---@field addedTokens integer tokens of attached content that was not in the window before
---@field text string the comparison in words

--- ForgotSum is the number and the tokens of the items in a state. Tokens of gone include the parts of kept items that
--- are no longer sent, such as older versions of a file.
---@class (exact) ctx.ForgotSum
---@field items integer
---@field tokens integer

--- FirstParams are the parameters of ctx/first.
---@class (exact) ctx.FirstParams
---@field workspace string a path or a file URI
---@field agent? string only sessions of this agent; default all agents

--- FirstAnswer is the result of ctx/first: the fixed context that the sessions of a workspace began with, by agent.
---@class (exact) ctx.FirstAnswer
---@field workspace string
---@field agents ctx.FirstOf[]

--- FirstOf is the fixed context that the sessions of one agent began with.
---@class (exact) ctx.FirstOf
---@field agent string
---@field name string the name that users know
---@field sentence string how it changed, and the cause, as a message
---@field change? ctx.FirstChange the change in numbers; null if there is nothing to compare
---@field sessions ctx.FirstRequest[] the oldest first

--- FirstChange is how the fixed context changed: the median of the newest sessions compared with that of the oldest.
---@class (exact) ctx.FirstChange
---@field from integer
---@field to integer
---@field since integer when the oldest session began, in milliseconds since 1970
---@field steady boolean they differ by less than 5% or 500 tokens
---@field kind string of the row that changed most in that direction; "" without one
---@field tokens integer the change in tokens; negative if it shrank
---@field servers string[] for mcpTools: the MCP servers that caused the change
---@field otherModel boolean another model, which may count differently

--- FirstRequest is the fixed context in the first request of a session: its setup.
---@class (exact) ctx.FirstRequest
---@field session string
---@field agentVersion string
---@field model string
---@field at integer when it began, in milliseconds since 1970
---@field in integer the whole first request
---@field setup integer the request without its conversation
---@field rows ctx.FirstRow[] rows that add up to setup
---@field mcpServers ctx.FirstServer[]
--- The session continues another conversation, so its first request does not show the fixed context.
---@field continues? boolean

--- FirstRow is one row of a setup.
---@class (exact) ctx.FirstRow
---@field kind string
---@field tokens integer

--- FirstServer is the size of an MCP server's tools in a setup.
---@class (exact) ctx.FirstServer
---@field name string
---@field tokens integer

--- FocusParams are the parameters of ctx/focus: what the user is looking at. The first of them that leads to a session
--- is used.
---@class (exact) ctx.FocusParams
---@field session? string
---@field terminalPid? integer a terminal's process, below which an agent runs
---@field file? string a path or a file URI
---@field workspace? string a path or a file URI

--- TerminalsParams are the parameters of ctx/terminals.
---@class (exact) ctx.TerminalsParams
---@field pids integer[] the terminals' processes, at most 256

--- TerminalsAnswer is the result of ctx/terminals.
---@class (exact) ctx.TerminalsAnswer
---@field terminals ctx.Terminal[] in the order of the request

--- Proof is how it is known that a process runs a session, the strongest first: the agent's own file about its process,
--- the open transcript, the id on the command line, or start times that leave one possibility, which is an inference.
--- It is empty without proof.
---@alias ctx.Proof
---| "sessionFile"
---| "openFile"
---| "command"
---| "start"

--- Terminal describes the agent in a terminal.
---@class (exact) ctx.Terminal
---@field pid integer
---@field agent string "" if none runs
---@field process integer the agent's process; 0 if none runs
---@field session? string null if uncertain
---@field proof ctx.Proof
---@field status string the agent's own word: busy, idle, waiting, or ""
---@field candidates string[] if uncertain: the sessions to ask the user about
---@field because string the reason, as a message

--- LevelParams report that a session crossed a level, compacted, or became inactive. Only live sessions cross levels
--- upwards.
---@class (exact) ctx.LevelParams
---@field session string
---@field level ctx.Level
---@field before ctx.Level
---@field crossed ctx.Crossing
---@field first? boolean up, to a level that the session has not reached before
---@field compacted? boolean
---@field reading ctx.Reading

--- FocusedParams report that another session should be shown.
---@class (exact) ctx.FocusedParams
---@field reading? ctx.Reading with its focus; null if there is no session to show

--- OfferParams offer a vocabulary that would make the counts of a watched session exact. Each one is offered once, to
--- one client, and never again after a reply.
---@class (exact) ctx.OfferParams
---@field name string the name to pass to ctx/vocabulary
---@field sentence string a message for users: the purpose, size and source
---@field phrase? ctx.Phrase the message as a phrase
---@field address string address of the server
---@field licence string
---@field bytes integer size of the download
---@field model string the session's model

--- VocabularyParams are the parameters of ctx/vocabulary.
---@class (exact) ctx.VocabularyParams
---@field name string a name from ctx/offer or from ctx-lsp vocab fetch
---@field fetch? boolean true downloads it; false declines

--- ClosedParams report that a watched session was closed.
---@class (exact) ctx.ClosedParams
---@field session string

--- Settings are the settings of a user. initializationOptions, the reply to workspace/configuration (section ctx) and
--- the settings of workspace/didChangeConfiguration have this shape. Other names are settings of the front end itself.
---@class (exact) ctx.Settings
---@field model string the model that prompt files are counted for, unless a session sets it
---@field agent string the agent whose loading rules apply if several agents read the file
---@field watch boolean whether the daemon watches the workspace's sessions for a client that does not send ctx/watch
---@field notify ctx.NotifySettings
---@field promptFiles ctx.PromptFileSettings
---@field sight? boolean a lens above each file with the lines that are in the next request
--- directories in which the editor's extensions keep their tasks: the parent of globalStorageUri
---@field globalStorage? string[]

--- NotifySettings are the settings for messages.
---@class (exact) ctx.NotifySettings
---@field level string window/showMessage from this level on: none, soon, now, over

--- PromptFileSettings are the settings for prompt files.
---@class (exact) ctx.PromptFileSettings
---@field codeLens boolean the size of the file, above its first line
---@field inlayHints boolean the tokens of each section, after its heading
---@field hover boolean the breakdown
---@field diagnostics boolean problems: large, missing, circular or duplicate content
---@field budget ctx.FileBudget
---@field phrases boolean add the phrases of texts, for a client that translates

--- FileBudget is how many tokens a file may have, its imports included, before it gets a diagnostic; 0 for no limit.
---@class (exact) ctx.FileBudget
---@field always integer limit for content that is in every request
---@field loaded integer limit for content that is loaded by path or on demand

--- ErrorKind is the kind of an error, on which programs act. Each kind has one code.
---@alias ctx.ErrorKind
---| "parse_error"
---| "invalid_request"
---| "unknown_method"
---| "invalid_params"
---| "internal"
---| "not_initialized"
---| "cancelled"
---| "request_failed"
---| "unknown_session"
---| "needs_vocabulary"
---| "limit_exceeded"
---| "session_exists"
---| "bad_ledger"
---| "unreadable"

--- Crossing is the direction in which a level was crossed. With each crossing a front end withdraws its previous
--- notification of the session.
---@alias ctx.Crossing
---| "up"
---| "down"

--- CrossingParams are the parameters of ctx/crossing.
---@class (exact) ctx.CrossingParams
---@field reading ctx.Foreign a Reading as it was received
---@field state? string state of the result for the previous Reading; absent for a session's first

--- CrossingAnswer reports whether a level was crossed. If none was, only state is set.
---@class (exact) ctx.CrossingAnswer
---@field state string to be sent with the session's next Reading
---@field level? ctx.Level
---@field before? ctx.Level
---@field crossed? ctx.Crossing
---@field first? boolean up, to a level that the session has not reached before
---@field compacted? boolean

--- Hundredths is a number with two decimals, most often a percentage: 2605 is 26.05. It reads and writes JSON exactly,
--- so that no front end rounds it again.
---@alias ctx.Hundredths number
