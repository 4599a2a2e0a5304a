-- Copyright The ctx-lsp authors. MIT licence.

-- Code generated from core/api/schema*.go and methods.go by `make generated`. DO NOT EDIT.

---@meta
-- An absent field is nil here: JSON's null never gets through.

--- Basis is how a number is known: by the provider (measured), by the model's own tokenizer (counted), as a remainder
--- (derived), or as a guess.
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

--- SubjectKind is the kind of thing that a name names; empty for a label of another kind. Others are more things of one
--- tool than are kept apart.
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

--- LimitSource is who says how large the window is, in order of rank. An error is an overflow newer than the rest, and
--- outranks others that name more; agentNow is the agent itself, in this session and besides its records; and accepted
--- is the model's larger window, after two prompts that need it. learned is what a refusal or accepted prompts showed
--- in earlier sessions. setting is a smaller window that the user has set for the agent.
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

--- LineSourceKind is a kind of source of the compaction threshold, in order of precedence: the session's own
--- compactions, earlier sessions, the rule that was asked for, a setting of the agent, and the agent's own rule. The
--- limit less the reserve bounds all of them.
---@alias ctx.LineSourceKind
---| "session"
---| "learned"
---| "asked"
---| "setting"
---| "rule"
---| "limit"

--- LineState is what has become of a source's threshold: it decides, another source takes precedence, or it changes
--- nothing.
---@alias ctx.LineState
---| "inForce"
---| "overruled"
---| "withoutEffect"

--- ReasoningMode is how long reasoning stays in the window.
---@alias ctx.ReasoningMode
---| "never"
---| "turn"
---| "always"

--- Trigger is who had a conversation compacted.
---@alias ctx.Trigger
---| "auto"
---| "manual"

--- CompactionTrigger is what had a conversation compacted: the agent at its threshold (auto), a command (manual), or
--- the agent because the session was left alone (idle).
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

--- BackCause is why a prompt cache is cold: its time is over, the agent's process has ended, the model or the tools
--- have changed, or the conversation was compacted.
---@alias ctx.BackCause
---| "time"
---| "ended"
---| "model"
---| "tools"
---| "compacted"

--- Turn is where a turn of the conversation begins or ends.
---@alias ctx.Turn
---| "start"
---| "end"

--- Phrase is a text of ctx-lsp for front ends that translate: its id, which is one of internal/phrase/list.go, and the
--- values of its placeholders: numbers, names, and phrases. A third-party text never has one.
---@alias ctx.Phrase { id: string; args?: (string|number|ctx.Phrase)[] }

--- Notes are the phrases of some texts in their order; null for a third-party text.
---@alias ctx.Notes (ctx.Phrase|nil)[]

--- Time is a moment, in milliseconds since 1970.
---@alias ctx.Time number

--- Text is a text of any length. It is counted and dropped.
---@alias ctx.Text string

--- RuleChoice is a Rule, "none", or the name of an agent whose rule to use.
---@alias ctx.RuleChoice ctx.Rule|string|nil

--- Content is what fills a fixed row: a text, a number of tokens, a Part, or an array of Parts, texts and numbers.
--- Blocks of a system prompt and definitions of tools may have the provider's shape. null clears the row.
---@alias ctx.Content string|number|ctx.Part|ctx.Block|(string|number|ctx.Part|ctx.Block)[]|nil

--- Block is a block of a system prompt, or the definition of a tool, as a provider shapes it.
---@alias ctx.Block { [field: string]: any; kind?: never }|(object & { kind?: never })

--- Message is a message of a conversation as a provider or the AI SDK shapes it: with a role and its content or parts,
--- or an input item with its type.
---@alias ctx.Message ({ role: string; kind?: never } & ({ content: any }|{ parts: readonly any[] }|{ [field: string]: any }))|{ type: string; kind?: never; [field: string]: any }

--- Appendix is an Item, or a Message.
---@alias ctx.Appendix ctx.Item|ctx.Message

--- Draft is what is being typed. null or an empty text clears it.
---@alias ctx.Draft string|number|ctx.Part|ctx.Item|nil

--- Summary is what a compaction left: a text, a number of tokens, or a Part.
---@alias ctx.Summary string|number|ctx.Part|nil

--- Opening is true, or the parameters to open a session with.
---@alias ctx.Opening boolean|ctx.OpenParams

--- Foreign is a value of somebody else's, as it came.
---@alias ctx.Foreign any

--- Sentence is a text for users: a third-party text, or a phrase.
---@alias ctx.Sentence string|ctx.Phrase

--- SavedLedger is a ledger as ctx/session/save returned it.
---@alias ctx.SavedLedger ctx.Ledger

--- SavedLessons are learned corrections as ctx/learned/get returned them; null for none.
---@alias ctx.SavedLessons ctx.Learned|nil

--- Nothing is an answer without a field.
---@alias ctx.Nothing table

--- Reading is everything a face shows of a session, already decided: a face that needs arithmetic has found a missing
--- field.
---@class (exact) ctx.Reading
---@field schema "ctx.reading/1" "ctx.reading/1"
---@field session string the session's id
---@field label string its name for users
---@field agent string
---@field agentVersion string
---@field model string
---@field workspace string
---@field title string The agent's own title, or the user's name for it: one line of at most 200 bytes, "" without one.
---@field branch string that the agent works on, if its records show it
---@field parent? string the session it is a sub-agent of
---@field mode ctx.Mode
---@field basis ctx.Basis How used is known. Faces print ~ for the estimated ones and ? for unknown.
---@field pending boolean something was sent that has not been answered
--- The agent's activity. The core sees only records; the daemon, which sees processes and has a clock, adds the rest.
---@field activity ctx.Activity
---@field waitingFor "approval"|"prompt"|"" while the agent waits: "approval", "prompt" or ""
---@field since? integer when the activity began; for work, when the turn began
---@field used integer Tokens the next request will occupy if it is sent now: in - leaving + carry + new.
---@field low integer the range that holds nine next requests of ten, by the session's own errors
---@field high integer
---@field rangeCause string Why the range is wide, if the cause cannot be predicted; empty otherwise.
---@field rangePhrase? ctx.Phrase the same as a phrase
---@field limit? integer The largest prompt: the maximum input if it is known, otherwise the window.
--- Free in the window: limit - used - reserve; may be negative. compaction.left is what is left until it compacts.
---@field free? integer
---@field freeShare? number of the window, as every share; never negative
---@field reserve integer room kept for the answer, where prompt and answer share the window
---@field reserveShare? number
--- Used of the limit, rounded half up; more than 100 is shown as it is. null if the limit is unknown.
---@field percent? number
---@field limitSource ctx.LimitSource
--- null before the first and after a compaction; after an overflow the refused prompt, whose size the refusal names.
---@field lastRequest? ctx.LastRequest
---@field leaving ctx.Leaving
---@field new ctx.NewItems
---@field breakdown ctx.Row[] sums to used exactly, deferred rows apart
---@field mcpServers ctx.Server[] what their tools occupy, most first
---@field largest ctx.LargeItem[] the ten largest things of the conversation, by name
---@field compaction ctx.Compaction
---@field advice ctx.Advice[] what could go, most first; advice only
---@field accuracy ctx.Accuracy
---@field spent ctx.Spent
---@field compactions integer how many there were
---@field verdict? ctx.Verdict the last compaction; null before the first
---@field back? ctx.Back what coming back costs; null if the cache's lifetime is not recorded
---@field children ctx.Brief[] sub-agents, with windows of their own
---@field warnings string[] sentences that say what is odd
---@field notes ctx.Notes the warnings as phrases
---@field asOf? integer of the last fact
---@field unmeasured? string Provider mode: why no measured percentage is shown, in a few words; absent if one is shown.
---@field unmeasuredPhrase? ctx.Phrase the same as a phrase
---@field agentPercent? ctx.AgentOwn null if the agent prints none
---@field agentCounts? string The agent's own count of its window, in a sentence; next to breakdown and not part of it.
---@field agentCountsPhrase? ctx.Phrase the same as a phrase
--- How much of the model's window is used, if the agent uses only a part of it: some meters divide by that window.
---@field wholeWindow? string
---@field wholeWindowPhrase? ctx.Phrase the same as a phrase
---@field host? string The program that runs the session for its agent, such as "VS Code Agent Host"; absent otherwise.
---@field display ctx.Display the short strings that faces print
---@field lines? table<string, string> The lines that were asked for in ctx/watch, finished.
--- The first words of the first prompt, for the screen: of a session without a title, if ctx/watch asks.
---@field opening? string
---@field file? string the transcript it is read from
---@field allowance? ctx.Allowance the limits of the account, as the agent says on this machine
---@field shown? ctx.Reason why it is the one in focus
---@field because? string the same in a sentence
---@field candidates? string[] that the focused agent may run, if uncertain

--- Allowance is how much of an account's limits is used, and until when the prompt cache is warm, as the agent itself
--- says on this machine; nobody else is asked.
---@class (exact) ctx.Allowance
---@field windows ctx.AllowanceWindow[] the shortest first
---@field cacheUntil? integer null if the agent does not report it
---@field at? integer when the agent reported it

--- AllowanceWindow is one limit of an account.
---@class (exact) ctx.AllowanceWindow
---@field minutes integer how long it runs: 300 is five hours, 10,080 a week
---@field percent number that is used
---@field resets? integer when it restarts

--- LastRequest is the last metered prompt and what its answer carries on.
---@class (exact) ctx.LastRequest
---@field in integer the whole prompt, cached or not
---@field percent? number
---@field cacheRead? integer
---@field cacheWrite? integer
---@field out? integer
---@field reasoning? integer
---@field carry integer what the answer carries into the next prompt
---@field carryBasis ctx.Basis

--- Leaving is the part of the last prompt that will not be sent again.
---@class (exact) ctx.Leaving
---@field tokens integer
---@field reasons ctx.LeavingReason[]

--- LeavingReason is one cause and its share.
---@class (exact) ctx.LeavingReason
---@field reason string
---@field phrase? ctx.Phrase the reason as a phrase
---@field tokens integer

--- NewItems is what was appended after the last metered prompt.
---@class (exact) ctx.NewItems
---@field tokens integer
---@field items integer
---@field basis ctx.Basis

--- Row is one line of the breakdown.
---@class (exact) ctx.Row
---@field kind ctx.Kind
---@field label string
---@field phrase? ctx.Phrase The label as a phrase; absent if it is that of the kind, null if it is third-party text.
---@field tokens integer
---@field share? number of the window; null of a deferred one, and without a window
---@field bar number how long its bar is, in percent of the largest row's
---@field basis ctx.Basis
---@field deferred? boolean listed, but not in the window yet and not in the sum

--- Server is an MCP server of the session, known because its tools were listed or called, or because the agent is
--- configured with it.
---@class (exact) ctx.Server
---@field name string
---@field tools integer that are known by name
---@field listed boolean these are all; else they are those that were called
---@field deferred integer of them, those that are listed by name and loaded when they are asked for
---@field neverCalled? integer Of them, those that were never called; null if not all tools are known.
---@field calls integer that are in the window
---@field tokens? integer in every request; null if unknown
---@field basis ctx.Basis
---@field switchOff string what switches it off, for this agent; "" if unknown
---@field text string all of this in a sentence, as faces show it
---@field phrase? ctx.Phrase the sentence as a phrase

--- Compaction is when the agent compacts, and at which threshold.
---@class (exact) ctx.Compaction
---@field rule string which rule
---@field since string since when it holds
---@field source string who says so
---@field line? integer null without a rule or a window; at most limit - reserve
---@field lineShare? number of the window: where in a bar of it the line is
---@field lineFrom string Where the threshold comes from and what it overrules; empty if it is the rule's.
---@field lineFromPhrase? ctx.Phrase the same as a phrase
---@field sources ctx.LineSource[] sources of the threshold, in order of precedence
---@field left? integer line - used
---@field leftShare? number of the window; never negative
---@field percent? number used of the line
---@field level ctx.Level how near the threshold is, or without one the full window
---@field reached boolean used > line
---@field advised boolean whether to compact now: from the level now on, a margin below the line
---@field buffer? integer between the line and the limit
---@field bufferShare? number of the window
---@field landing? ctx.Landing
--- Until it compacts, else until the window is full; null before three requests, unless earlier sessions showed it.
---@field callsLeft? ctx.Range
---@field turnsLeft? ctx.Range
---@field forecastFrom string Where the forecasts come from, if not from the session itself; empty otherwise.
---@field forecastPhrase? ctx.Phrase the same as a phrase
--- The next event: "compacts in ~5 requests", or "window full in ~12 requests" if nothing compacts; empty if unknown.
---@field hint string
---@field hintPhrase? ctx.Phrase the same as a phrase

--- LineSource is a source of the compaction threshold.
---@class (exact) ctx.LineSource
---@field source ctx.LineSourceKind
---@field name string what front ends show
---@field phrase? ctx.Phrase the name as a phrase; absent for a setting
---@field setting string The name and the value of a setting of the agent, as it was set; "" for other sources.
---@field value string
---@field line? integer the threshold that it gives alone; null if it gives none
---@field state ctx.LineState
---@field note string How its value is read, or why it has no effect; empty otherwise.
---@field notePhrase? ctx.Phrase the same as a phrase

--- Verdict compares a compaction with the Reading before it. Its sentence leaves out unknown facts.
---@class (exact) ctx.Verdict
---@field at? integer
---@field trigger ctx.CompactionTrigger
---@field before integer the prompt that was compacted
---@field beforeBasis ctx.Basis How before is known: measured if the agent records it.
---@field left? integer the size of the next prompt without what the user added
---@field leftBasis ctx.Basis how left is known: estimated until the next request is measured
---@field freed? integer before - left
---@field threshold? integer The compaction threshold that was shown before it; null without one.
---@field source? ctx.LineSourceKind the source that decided it; null without a threshold
---@field sourceText string its name, as front ends show it
---@field sourcePhrase? ctx.Phrase the name as a phrase; absent for a setting
--- Whether it happened at the threshold; unknown unless the agent compacted at a recorded size below a known threshold.
---@field asPredicted ctx.Answer
---@field thresholdNow? integer the threshold from then on; null if it stayed
---@field loop boolean this compaction and the one before each freed less than a fifth
---@field text string all of this in sentences
---@field phrase? ctx.Phrase the sentences as a phrase

--- Back is what coming back to a session costs: until when its prompt is in the provider's cache, as the transcript
--- records it, and how much the next prompt writes to the cache after that. Front ends compare the times with a clock.
---@class (exact) ctx.Back
---@field warmUntil integer until then the next prompt is read from the cache
---@field coldFrom integer From then on it is rewritten. Between warmUntil and coldFrom either may happen.
--- when the last fifth of the cache's lifetime begins; warmUntil if it is cold for another reason
---@field warnFrom integer
---@field cause ctx.BackCause why it is cold
---@field life integer the cache's lifetime in milliseconds
---@field anew integer tokens that the next prompt writes to the cache once it is cold
---@field display "441k" anew as front ends print it: "441k"
---@field kept integer the fixed part that it still reads then; after hours often nothing
---@field weighted integer anew and kept by cost, in tokens of plain input
--- When the agent compacts the session itself if it is left alone, and the tokens that leaves; null if it does not.
---@field compactsAt? integer
---@field compactsTo? integer
---@field compactFirst? integer what the first prompt after a compaction writes anew; null if unknown
--- Whether a compaction between warnFrom and warmUntil is cheaper than one after it; nowText says so.
---@field compactNow boolean
---@field text string the cost of a cold cache in a clause
---@field phrase? ctx.Phrase the clause as a phrase
---@field compactsText string The agent's own compaction in a clause; empty if it does not compact.
---@field compactsPhrase? ctx.Phrase the clause as a phrase
--- The cost after a compaction before the next prompt, in a clause; empty if unknown or not smaller.
---@field firstText string
---@field firstPhrase? ctx.Phrase the clause as a phrase
---@field nowText string That a compaction now is cheaper than one later, in a clause; empty if it is not.
---@field nowPhrase? ctx.Phrase the clause as a phrase

--- Landing is what compaction is expected to leave.
---@class (exact) ctx.Landing
---@field low integer
---@field high integer

--- Range is a forecast with its 80% interval.
---@class (exact) ctx.Range
---@field low integer
---@field likely integer
---@field high integer

--- Advice is something that could go.
---@class (exact) ctx.Advice
---@field action string
---@field label string
---@field phrase? ctx.Phrase the label as a phrase
---@field tokens integer tokens freed
---@field basis ctx.Basis basis of the tokens
---@field atMost boolean less may be freed
---@field items integer
---@field how string
---@field howPhrase? ctx.Phrase how as a phrase; absent for a command
---@field breaksCache boolean

--- Accuracy is the session's own record of its predictions.
---@class (exact) ctx.Accuracy
---@field last? ctx.Miss
---@field ratio number actual size of estimated texts divided by their estimates, as learned from the requests so far
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
---@field cause string the likely cause of an error of more than one percent
---@field phrase? ctx.Phrase the cause as a phrase

--- Spent is what all requests used together; cached tokens are inside in. It says nothing of what fills the window.
---@class (exact) ctx.Spent
---@field calls integer
---@field in integer
---@field out integer
---@field cacheRead integer
---@field cacheWrite integer
---@field reasoning integer
---@field total integer in + out
--- The total by cost, in tokens of plain input: a cache read is 0.1, a write 1.25, or 2 if kept for an hour.
---@field effective integer

--- AgentOwn is the number the agent itself prints, by its own formula.
---@class (exact) ctx.AgentOwn
---@field value number
---@field label string
---@field phrase? ctx.Phrase the label as a phrase

--- Display holds the short strings of a Reading; no face rounds for itself.
---@class (exact) ctx.Display
--- How full, as every front end prints it: "~81%", with ~ if estimated; tokens if the limit is unknown.
---@field number string
---@field mark string "~" estimated, "≥" only a part is known, "!" older than unread data, "?" unknown, "" otherwise
---@field percent string
---@field used string
---@field limit string
---@field free string tokens free in the window, after the reserve
---@field left string tokens left until it compacts; "" if nothing compacts
---@field percentLeft string
---@field line string the compaction threshold in tokens; "" if nothing compacts
---@field linePercent string
---@field linePercentLeft string
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

--- Brief is a sub-agent in short, inside a Reading.
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

--- ListedSession is a session in short, in the list of ctx/sessions, where its children have entries of their own.
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

--- Limits are the three numbers of a model's window, as the user knows them. They outrank everything. A window or an
--- input of 0 is an error, and an output of 0 is unknown. In an update, a number that is left out stays as it was, and
--- null withdraws it.
---@class (exact) ctx.Limits
---@field window? integer
---@field input? integer
---@field output? integer

--- Rule is a compaction rule. If several are set, the lowest threshold applies.
---@class (exact) ctx.Rule
---@field percent? number of the limit
---@field reserve? integer Output reserve: the maximum output, but at most this; 0 means 32,000.
--- With reserve: compaction down to this far below the window, or to 80% of a window no larger than that.
---@field target? integer
---@field line? integer a fixed line

--- OpenParams are the parameters of ctx/session/open.
---@class (exact) ctx.OpenParams
---@field id? string
---@field scope? string the id's scope: a host with several clients gives each its own; the daemon refuses it
---@field agent? string An agent brings its compaction rule and window table; default generic.
---@field agentVersion? string
---@field model? string as models.dev spells it, the usual aliases too
---@field provider? string likewise
---@field route? string chat, responses, copilot, ...: decides how reasoning re-enters
---@field workspace? string
---@field checkout? string the session's own checkout of workspace
---@field mode? ctx.Mode default hybrid
---@field limits? ctx.Limits
---@field reserve? integer room kept for the answer
---@field rule? ctx.RuleChoice default the agent's own
---@field reasoning? ctx.ReasoningMode learned when absent
---@field parent? string the session it is a sub-agent of: of the same scope, or without one
---@field label? string its name for users
---@field title? string what the agent itself calls the session; never a prompt
---@field branch? string that the agent works on
--- The agent's own environment variables and settings, by its own names, as far as they move its line.
---@field settings? table<string, string>
--- The host sends everything, fixed rows and items: rows estimated too short are stretched to the measured prompt.
---@field complete? boolean
---@field tail? boolean The records begin within the conversation, so what its first prompt contained is unknown.
---@field hidePaths? boolean Show of the paths of files no more than the last element.
---@field heldBy? integer the process that holds the session's saved ledger, so that its past is unknown; 0 if unknown
---@field setAside? boolean The session's saved ledger cannot be restored, so its past is unknown.
---@field at? integer
---@field key? string The secret key of the saved digests of messages. Without one, none are saved.
---@field shared? boolean the session has no owner: every client may join it
---@field resume? boolean go on with the saved ledger of this id, if there is one

--- Item is one piece of a conversation, with its text or its tokens. Given as tokens it costs exactly that; constants
--- of the model's framing are added to a text only.
---@class (exact) ctx.Item
--- Its row: user assistant toolCalls toolResults reasoning media summary documents memory system; or developer.
---@field kind ctx.Kind
---@field text? ctx.Text
---@field tokens? integer
---@field label? string for lists
---@field name? string of the tool, for lists
--- What the item is of, for lists: with file, command, url, mcp, agent or skill the path, command, address or tool.
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
---@field providerMetadata? ctx.Foreign Of reasoning, as the AI SDK has it: its longest string counts as opaque.
---@field parameters? integer how many a tool call has
---@field hidden? boolean sent, but not shown to the user
---@field wrapping? integer How many tokens are sent around the text, besides the constants of the model's framing.

--- Part is a piece of a fixed row, with its text or its tokens.
---@class (exact) ctx.Part
---@field text? ctx.Text
---@field tokens? integer
---@field label? string
---@field deferred? boolean listed, but not in the window until it is asked for
---@field ephemeral? boolean Of memory: it comes with its turn and leaves with it, like documents.

--- Replacement puts an item in the place of another.
---@class (exact) ctx.Replacement
---@field index integer
---@field item ctx.Item
---@field reason? string

--- UpdateParams are the parameters of ctx/session/update: what changed.
---@class (exact) ctx.UpdateParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field model? string
---@field provider? string
---@field route? string
---@field mode? ctx.Mode of the Readings from now on
---@field limits? ctx.Limits
--- The agent's own report of its window in this session, such as its status line's message.
---@field agentLimits? ctx.Limits
---@field reserve? integer
---@field rule? ctx.RuleChoice
---@field system? ctx.Content
---@field tools? ctx.Content
---@field mcpTools? ctx.Content
---@field skills? ctx.Content
---@field agents? ctx.Content
---@field memory? ctx.Content
---@field documents? ctx.Content of the current turn; they leave with it
--- What the agent loads by itself, as a host finds it on disk. It names parts of what is measured, and adds nothing.
---@field loaded? ctx.Loaded
---@field append? ctx.Appendix[] items at the end, or messages as the provider shapes them
---@field replace? ctx.Replacement[] items in others' places
---@field removeFrom? integer This item and what follows is removed, as in a rewind; 0 clears the conversation.
--- So many of the oldest items that are still sent are sent no more, as in a sliding window; they keep their places.
---@field removeFirst? integer
--- start when the user sends a message, end when the agent hands back; else a user item after a response starts one.
---@field turn? ctx.Turn
---@field draft? ctx.Draft part of used, replaced as a whole, and cleared by the next user item too
---@field complete? boolean as in ctx/session/open
---@field title? string outranks what records say; "" clears it
---@field branch? string
--- What the host sees the agent do, until an item, a usage or a turn follows; "" withdraws it.
---@field activity? ctx.Activity
---@field waitingFor? ctx.WaitingFor with the activity waiting
---@field since? integer with activity: when it began; otherwise now
---@field at? integer
---@field unreadAt? integer When an agent last wrote in the session's workspace in a form that the host does not read.
---@field unreadBy? string the agent that wrote at unreadAt; the session's own if absent

--- MessagesParams are the parameters of ctx/session/messages.
---@class (exact) ctx.MessagesParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
--- All messages of the conversation, the oldest first, as the provider or the host's library shapes them.
---@field messages ctx.Appendix[]
---@field compacted? boolean true: messages were replaced by a summary; false: they were not. It is inferred if absent.
---@field at? integer

--- Loaded is what an agent loads by itself as a session begins: the texts of memory files, and what it lists of skills
--- and agents. Each is an array of Parts; it replaces what was set before.
---@class (exact) ctx.Loaded
---@field memory? ctx.Content
---@field skills? ctx.Content
---@field agents? ctx.Content
---@field servers? string[] the MCP servers that it is configured with
---@field unknown? ctx.Sentence[] sentences: what could not be found out, and why

--- UsageParams are the parameters of ctx/session/usage.
---@class (exact) ctx.UsageParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field request? string the response's id: the same id replaces
---@field provider? string recognised by the shape of usage when absent
---@field usage ctx.Foreign usage object, response or stream event; Usage for provider ctx
---@field through? integer How many items that prompt held. The default is all but what the model wrote at the end.
---@field final? boolean false for a piece of a stream
---@field counted? boolean the provider counted this prompt and did not run it
--- The usage comes from a source that may have invented it: what rests on it is estimated, and nothing is learned.
---@field reported? boolean
---@field at? integer

--- Usage is the neutral usage of provider ctx.
---@class (exact) ctx.Usage
---@field in? integer the whole prompt, cached or not
---@field out? integer
---@field reasoning? integer inside out
---@field cacheRead? integer inside in, as cacheWrite
---@field cacheWrite? integer

--- ErrorParams are the parameters of ctx/session/error.
---@class (exact) ctx.ErrorParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field provider? string
---@field error ctx.Foreign an object or a text
---@field status? integer of HTTP
---@field reported? boolean The error comes from a source that may have invented it: only the limit in it is used.
---@field at? integer

--- CompactedParams are the parameters of ctx/session/compacted.
---@class (exact) ctx.CompactedParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field trigger? ctx.Trigger default manual
---@field summary? ctx.Summary
---@field kept? integer how many of the last items stay
---@field tokens? integer the remaining tokens, if the caller knows
---@field before? integer
---@field at? integer

--- RecordsParams are the parameters of ctx/session/records.
---@class (exact) ctx.RecordsParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field agent? string recognised from the records when absent
---@field records ctx.Foreign[] raw records, strings that hold them, or {"skipped": bytes}
---@field line? integer The transcript line of the first record, if each record is on the line after the previous one.
---@field open? ctx.Opening open the session if there is none
---@field steps? boolean answer with the predictions that were verified
---@field reading? boolean false: answer without the Reading
---@field wanted? boolean answer with the files of which more is sent than is recorded
---@field at? integer
---@field shared? boolean as in ctx/session/open

--- RecordsAnswer is the answer of ctx/session/records when steps or wanted were asked for.
---@class (exact) ctx.RecordsAnswer
---@field reading? ctx.Reading
---@field steps ctx.Step[]
---@field wanted ctx.WantedFile[]

--- WantedFile is a file that the agent uses, and of which it sends what no record shows.
---@class (exact) ctx.WantedFile
---@field path string as it is written in the record, perhaps relative to the workspace
--- mentioned by the user; read, readInPart or written by the agent; forgotten, without a path, when all is gone.
---@field use string
---@field at? integer of the record
---@field sent boolean a prompt was measured since, which holds it

--- Step is one prediction and its measurement.
---@class (exact) ctx.Step
---@field session string
---@field model string
---@field call integer
---@field kind string tool, user, resume, compaction or model
---@field predicted integer
---@field low integer of the range that was stated: it holds nine steps of ten
---@field high integer
---@field actual integer
---@field redacted boolean a text that was new had been redacted in the transcript
---@field texts integer of the tool loop: tokens of new texts before any correction; 0 where more was guessed
---@field held integer and what the request held of them
---@field error integer predicted - actual
---@field percent number of what was measured
---@field turn integer
---@field landing? ctx.Range Landing is the predicted size after a compaction, for the first request after it.
---@field forecasts ctx.Forecast[] the forecasts that were made, once this was measured
---@field return? ctx.Return set for the first request after a pause

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
---@field line integer
---@field calls ctx.Range
---@field turns ctx.Range

--- ReadingParams are the parameters of ctx/session/reading.
---@class (exact) ctx.ReadingParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field mode? ctx.Mode for this answer; default the session's own

--- SessionsParams are the parameters of ctx/sessions.
---@class (exact) ctx.SessionsParams
---@field scope? string List the sessions of this scope, and those without a scope whose ids are free in it.
---@field mode? ctx.Mode for this answer; default each session's own

--- SessionParams name a session.
---@class (exact) ctx.SessionParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open

--- NoParams are those of a method that has none.
---@alias ctx.NoParams table

--- SessionsAnswer is the answer of ctx/sessions.
---@class (exact) ctx.SessionsAnswer
---@field sessions ctx.ListedSession[]

--- HistoryParams are the parameters of ctx/session/history.
---@class (exact) ctx.HistoryParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field points? integer at most so many; default 200

--- HistoryAnswer is the course of a session.
---@class (exact) ctx.HistoryAnswer
---@field points ctx.HistoryPoint[]
---@field compactions ctx.HistoryCompaction[]
---@field verdicts ctx.Verdict[] the last 20 compactions, the oldest first
---@field line? integer
---@field limit? integer

--- HistoryPoint is one metered prompt.
---@class (exact) ctx.HistoryPoint
---@field at? integer
---@field call integer
---@field used integer
---@field percent? number of the limit as it is now

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
---@field top? integer at most so many; default 20

--- ItemsAnswer lists the largest things: all items of one name, or one item without a name.
---@class (exact) ctx.ItemsAnswer
---@field items ctx.LargeItem[]
---@field total integer items of the conversation

--- FitsParams are the parameters of ctx/session/fits.
---@class (exact) ctx.FitsParams
---@field id string
---@field scope? string the id's scope; see ctx/session/open
---@field parts ctx.Content the texts, or their tokens; a label names each in the answer
---@field phrases? boolean add the phrase of the text

--- FitsAnswer says what the next request would be with the parts in it.
---@class (exact) ctx.FitsAnswer
---@field tokens integer that the parts add, with the frame of their message
---@field basis ctx.Basis of tokens
---@field used integer by the next request, with the parts
---@field limit? integer
---@field percent? number used of the limit
---@field free? integer
---@field line? integer the compaction threshold
---@field linePercent? number used of the line
---@field left? integer
---@field level ctx.Level now or over: the agent compacts
---@field parts ctx.FitsPart[] the largest first
---@field fewer? ctx.Fewer the part that would fit, if not all does
---@field phrase? ctx.Phrase the text as a phrase, if phrases were asked for
---@field text string the result in one line, for users

--- FitsPart is one of the texts of ctx/session/fits.
---@class (exact) ctx.FitsPart
---@field label string
---@field tokens integer
---@field basis ctx.Basis
---@field leftOut? boolean would have to be left out; fewer describes the rest

--- Fewer is what the next request would be without the parts that are left out.
---@class (exact) ctx.Fewer
---@field tokens integer that the other parts add
---@field used integer
---@field percent? number
---@field linePercent? number
---@field level ctx.Level

--- LargeItem is one of the largest things of a conversation, by its name and size, not its text.
---@class (exact) ctx.LargeItem
---@field index integer of its largest item
---@field kind ctx.Kind of its largest item
---@field what ctx.SubjectKind what its name is of
---@field label string its name: Read src/api.go, Bash npm test, mcp:github get_issue
---@field phrase? ctx.Phrase as of a row; absent with what
---@field times integer how often it was called, read or shown
---@field tokens integer
---@field basis ctx.Basis
---@field share? number of the window
---@field bar number how long its bar is, in percent of the largest one's
---@field place? integer the transcript line of its largest item, if known

--- SaveAnswer is the answer of ctx/session/save.
---@class (exact) ctx.SaveAnswer
---@field ledger ctx.Ledger

--- Ledger is a saved session: counts and labels, and no text.
---@class (exact) ctx.Ledger
---@field schema string ctx.ledger/ and a fingerprint of what is saved; no other build's is restored
---@field session string
---@field parent? string for hosts that keep families together
---@field settings table<string, string>
---@field names string[]
---@field state string base64
---@field reader? ctx.ReaderState if the session is read from a transcript

--- ReaderState is what the reader of a transcript remembers of earlier records: counts, ids, hashes and labels, at most
--- 128 KiB. A reader that remembers more is left out.
---@class (exact) ctx.ReaderState
---@field agent string
---@field format string a fingerprint of what the agent's readers save
---@field names string[]
---@field state string base64

--- RestoreParams are the parameters of ctx/session/restore.
---@class (exact) ctx.RestoreParams
---@field ledger ctx.SavedLedger
---@field id? string instead of its own
---@field scope? string the id's scope; see ctx/session/open
---@field parent? string
---@field key? string the one that ctx/session/open had
---@field shared? boolean as in ctx/session/open

--- ImportProblem is the reason why an import fails; empty if it does not.
---@alias ctx.ImportProblem
---| "missing"
---| "outside"
---| "tooLarge"
---| "unreadable"

--- LimitOf is whose window a prompt file is held against: that of the session it is for, else what its agent believes
--- the model's to be, else the model's own; empty if none is known.
---@alias ctx.LimitOf
---| "session"
---| "agent"
---| "model"

--- DrawnPart is one of the things that an editor draws.
---@alias ctx.DrawnPart
---| "lenses"
---| "hints"
---| "hovers"
---| "links"
---| "diagnostics"
---| "breakdown"

--- TextUnits is what characters of a line are counted in, as in LSP.
---@alias ctx.TextUnits
---| "utf-8"
---| "utf-16"
---| "utf-32"

--- DocumentOpenParams are the parameters of ctx/document/open.
---@class (exact) ctx.DocumentOpenParams
---@field id string the document's URI
---@field set? string documents of one set may import one another
---@field scope? string the set's scope; see ctx/session/open
---@field path? string relative to the workspace, or ~/...; default id
---@field text ctx.Text
---@field model? string to count for; default the one that the kind of file suggests
---@field provider? string
---@field limit? integer of the session that it is for; its window divides
---@field agent? string whose loading rules apply if a file has several readers
---@field show? ctx.ShowOptions

--- DocumentChangeParams are the parameters of ctx/document/change.
---@class (exact) ctx.DocumentChangeParams
---@field id string
---@field set? string
---@field scope? string the set's scope; see ctx/session/open
---@field version? integer the host's own; changes come in order
---@field changes? ctx.DocumentChange[] each counts from the text that the one before left
---@field imports? ctx.ImportTarget[] what the host found for each import
---@field model? string to count for from now on; null or "" for what the kind of file suggests
---@field provider? string
---@field limit? integer with model, as in open
---@field show? ctx.ShowOptions

--- DocumentChange replaces bytes of the text; without from and to all of it.
---@class (exact) ctx.DocumentChange
---@field from? integer
---@field to? integer
---@field text ctx.Text

--- ImportTarget is what the host found for an import: the document that it opened, or why there is none.
---@class (exact) ctx.ImportTarget
---@field target string
---@field id? string
---@field problem? ctx.ImportProblem

--- ShowOptions say how much of a view is wanted.
---@class (exact) ctx.ShowOptions
---@field view? boolean false: nothing
---@field sections? boolean false: none
---@field from? integer sections that touch these bytes
---@field to? integer
---@field findings? boolean false: none
---@field budget? ctx.DocumentBudget
---@field with? string[] other documents that are always loaded too
---@field draw? ctx.DrawnPart[] what drawn has; of hints and hovers those that touch from and to
---@field units? ctx.TextUnits of drawn's places; default utf-16
---@field plain? boolean texts of hovers and the breakdown without Markdown
---@field phrases? boolean drawn and findings with their phrases

--- DocumentBudget is how many tokens a file may weigh, its imports included, before a finding says so; 0 for no limit.
---@class (exact) ctx.DocumentBudget
---@field always? integer of what is in every request
---@field loaded? integer of the rest

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

--- DocumentView is a prompt file and what it weighs. Places are byte offsets.
---@class (exact) ctx.DocumentView
---@field schema "ctx.document/1" "ctx.document/1"
---@field id string
---@field path string
---@field kind string
---@field title string
---@field agent string whose way of reading counts
---@field model string that it is counted for
---@field modelChosen boolean
---@field load ctx.DocumentLoad
---@field tokens integer of the file itself
---@field basis ctx.Basis
---@field listed integer of the description that is there before the rest is loaded
---@field imported integer of everything imported, each file once
---@field files integer how many those are
---@field total integer tokens + imported
---@field share? number of the limit
---@field limit? integer of the window; null if unknown
---@field limitOf ctx.LimitOf
---@field sections ctx.Section[] those that were asked for
---@field sectionCount integer of all
---@field imports ctx.DocumentImport[]
---@field findings ctx.Finding[]
---@field display ctx.DocumentDisplay
---@field drawn? ctx.Drawn where draw was given

--- DocumentLoad is when an agent loads the file.
---@class (exact) ctx.DocumentLoad
---@field when "always"|"path"|"demand" "always", "path" or "demand"
---@field globs string[] of the paths it is loaded for
---@field why string a sentence

--- Section is a heading and what is below it.
---@class (exact) ctx.Section
---@field title string
---@field level integer
---@field from integer the heading's line
---@field to integer
---@field end integer of the section with those below it
---@field own integer tokens up to the next heading
---@field tokens integer with the sections below
---@field display string
---@field ownDisplay string

--- DocumentImport is a place that names another file, and what that brings.
---@class (exact) ctx.DocumentImport
---@field target string
---@field from integer
---@field to integer
---@field id string of the document it leads to
---@field problem string missing, outside, tooLarge, unreadable, circular, tooDeep or repeated
---@field tokens integer
---@field all integer with what it imports itself
---@field display string

--- Finding is something that is wrong with a prompt file.
---@class (exact) ctx.Finding
---@field from integer
---@field to integer
---@field severity integer as in LSP: 1 error, 2 warning, 3 information, 4 hint
---@field code string
---@field message string
---@field phrase? ctx.Phrase the message as a phrase, if phrases were asked for
---@field other? ctx.OtherFinding

--- OtherFinding is a place in this or another document that a finding is about too.
---@class (exact) ctx.OtherFinding
---@field id string
---@field from integer
---@field to integer
---@field message string
---@field phrase? ctx.Phrase

--- DocumentDisplay holds the short strings of a view.
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
---@field hovers? ctx.DocumentHover[] the first that holds a position counts
---@field links? ctx.DocumentLink[]
---@field diagnostics? ctx.DocumentDiagnostic[]
---@field breakdown? string of the whole file, in Markdown
---@field breakdownPhrase? ctx.Phrase the breakdown as a phrase

--- TextPosition is a place in a text: a line and a character of it, from 0.
---@class (exact) ctx.TextPosition
---@field line integer
---@field character integer in the units that were asked for

--- TextRange is the text between two positions.
---@class (exact) ctx.TextRange
---@field start ctx.TextPosition
---@field end ctx.TextPosition

--- DocumentLens is a line above the text: what the file costs, and when.
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

--- DocumentHover is what there is to say of a piece of the text.
---@class (exact) ctx.DocumentHover
---@field range ctx.TextRange
---@field text string Markdown in which names are only text; with plain no Markdown
---@field phrase? ctx.Phrase the text as a phrase

--- DocumentLink leads to a document that is imported.
---@class (exact) ctx.DocumentLink
---@field range ctx.TextRange
---@field id string of the document
---@field tooltip string
---@field phrase? ctx.Phrase the tooltip as a phrase

--- DocumentDiagnostic is a Finding at its place.
---@class (exact) ctx.DocumentDiagnostic
---@field range ctx.TextRange
---@field severity integer as in LSP
---@field code string
---@field message string
---@field phrase? ctx.Phrase the message as a phrase
---@field related? ctx.DocumentReference

--- DocumentReference is another place that a diagnostic is about.
---@class (exact) ctx.DocumentReference
---@field id string of the document
---@field range ctx.TextRange
---@field message string
---@field phrase? ctx.Phrase the message as a phrase

--- CountParams are the parameters of ctx/count: one text or several, for a model or by an encoding.
---@class (exact) ctx.CountParams
---@field text? ctx.Text
---@field texts? ctx.Text[] instead of text
---@field model? string
---@field provider? string
---@field encoding? string instead of model and provider
---@field as? string "message": as the one message of a user, with its frame
---@field boundaries? boolean answer with the ends of tokens too
---@field exact? ctx.ExactCount instead of all these: let the provider count

--- ExactCount is a request that the provider itself is to count, because the user asked for it. Only the daemon answers
--- it, and only this uses a network.
---@class (exact) ctx.ExactCount
---@field api string anthropic, openai, gemini, bedrock, vllm, llama.cpp, ...
---@field model? string replaces the request's
---@field request ctx.Foreign the body that would be sent
---@field baseUrl? string of a server on this machine, without a path, that gets no key
---@field session? string the session that the answer calibrates
---@field through? integer how many of its items the request holds

--- CountAnswer is the answer of ctx/count.
---@class (exact) ctx.CountAnswer
---@field tokens integer
---@field basis ctx.Basis
---@field encoding string "" if the model has no public one
---@field note? string why the count is an estimate: a doubt about the vocabulary, or an unknown model
---@field notePhrase? ctx.Phrase the same as a phrase
---@field texts? integer[] each, when several were asked for
---@field boundaries? integer[] ends of tokens, in bytes of text

--- ExactAnswer is the answer of ctx/count to an exact count.
---@class (exact) ctx.ExactAnswer
---@field api string
---@field model? string
---@field tokens integer
---@field basis ctx.Basis estimated if the provider's count covers text only
---@field window? integer if the provider reports it
---@field original? integer before the provider's own context editing
---@field cached? integer
---@field note? string
---@field reading? ctx.Reading of the session that was calibrated

--- ModelsParams are the parameters of ctx/models.
---@class (exact) ctx.ModelsParams
---@field query? string a name or a part of an id; default everything

--- ModelsAnswer is the answer of ctx/models.
---@class (exact) ctx.ModelsAnswer
---@field models ctx.Model[]

--- Model is what the registry knows of a model.
---@class (exact) ctx.Model
---@field id string
---@field provider string
---@field window? integer
---@field input? integer
---@field output? integer
---@field sharing "shared"|"separate" "shared" or "separate"
---@field encoding string "" if it is not public
---@field family string of tokenizers
---@field reasoning string
---@field source string who says so
---@field date string and when

--- LearnedParams are the parameters of ctx/learned/set.
---@class (exact) ctx.LearnedParams
---@field learned ctx.SavedLessons as ctx/learned/get answered; null or {} forgets

--- LearnedAnswer is the answer of ctx/learned/get.
---@class (exact) ctx.LearnedAnswer
---@field learned ctx.Learned

--- Learned is what earlier sessions and the open ones have taught, for the host to keep. No text is among it.
---@class (exact) ctx.Learned
---@field lessons ctx.Lesson[] the oldest first
---@field limits ctx.LineLesson[] what sessions have shown of their limits

--- LineLesson is what sessions have shown of the compaction threshold, the window, the reserve and the size after a
--- compaction: those of one agent, version to its second number, model and workspace.
---@class (exact) ctx.LineLesson
---@field key string a fingerprint of the kind
---@field agent string
---@field model string
---@field rule? integer The rule's threshold and the limit, which are the settings that the rest belongs to.
---@field limit? integer
---@field compacted integer the smallest prompt that the agent compacted by itself; 0 without one
---@field refuted boolean requests passed the rule's threshold
---@field base? integer the limit that a refusal or accepted prompts corrected; null if none did
---@field window? integer the corrected total
---@field input? integer the corrected largest prompt
---@field reserve integer reserved by a refused request; 0 if none was
---@field landings integer[] prompts after compactions, the oldest first
---@field sessions string[] Fingerprints of the sessions that showed the threshold, and of the last session.
---@field last string
---@field at? integer when the last session measured last

--- Lesson is what the sessions of one kind have taught: an agent, its version, a model and a workspace.
---@class (exact) ctx.Lesson
---@field key string a fingerprint of the kind
---@field place string of the agent and the workspace alone; 0 if not known
---@field agent string
---@field model string
---@field session string a fingerprint of the last one
---@field bases integer[] what no text showed of first prompts
---@field afterBase? integer and of second ones
---@field second? integer what the second request after a compaction brought unseen
---@field actual integer tokens of text that was estimated
---@field estimated integer and their estimates
---@field reasoning ctx.ReasoningMode
---@field steps integer
---@field at? integer of the last measurement
--- Tokens of system, tools, mcpTools, skills, agents, memory and documents, as they were set; empty if none were.
---@field rows integer[]
---@field paces ctx.Pace[] how the last sessions grew, the oldest first
---@field tools ctx.ToolSize[] sizes of definitions that are loaded without a record, the oldest first

--- ToolSize is the size of a tool's definition.
---@class (exact) ctx.ToolSize
---@field name string a fingerprint
---@field tokens integer

--- Pace is how a session grew: by how many tokens in how many steps from one request to the next, and how many requests
--- it had in how many turns.
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
---@field name? string the session, method or vocabulary it is about
---@field known? string[] what would have been understood

--- LinesParams are the parameters of ctx/lines.
---@class (exact) ctx.LinesParams
---@field reading? ctx.Foreign A Reading, or a session in short, as it came; without one the templates are only checked.
---@field lines table<string, ctx.Template> one or more lines, each by a name of the caller's
---@field words? table<string, string> fields of the caller's own, and translations

--- Template is what a line may look like, or a list of those, the longest first: the first whose fields all have a
--- value is used, else the last.
---@alias ctx.Template string|string[]

--- LinesAnswer is the answer of ctx/lines.
---@class (exact) ctx.LinesAnswer
---@field lines table<string, string> the finished texts, by the same names; none without a Reading

--- Reason is why a session is the focused one: the item that led to it, or elsewhere if none did.
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
---@field workDoneToken? ctx.Foreign of LSP: for progress while sessions are read
---@field mode? ctx.Mode Of every Reading that this client gets until the next ctx/watch; default each session's own.
--- As in ctx/lines: until the next ctx/watch every Reading that this client gets has these lines, finished.
---@field lines? table<string, ctx.Template>
---@field words? table<string, string> as in ctx/lines
--- Readings, and the sessions of ctx/earlier, have the first words of their first prompt if they have no title.
---@field openings? boolean

--- WatchAnswer is the answer of ctx/watch.
---@class (exact) ctx.WatchAnswer
---@field sessions ctx.Reading[] those read within 1.5 s; the others arrive as ctx/reading
--- Each folder's whole repository, else the folder. A session started in one, below it or above it, is here.
---@field roots string[]
--- Sessions are still being searched or read, for example because the engine is being compiled; ctx/searched ends it.
---@field searching boolean

--- EarlierParams are the parameters of ctx/earlier.
---@class (exact) ctx.EarlierParams
---@field workspace? string a path or a file URI; default everything
---@field limit? integer at most so many, the newest; default 50, at most 500

--- EarlierAnswer is the answer of ctx/earlier.
---@class (exact) ctx.EarlierAnswer
---@field sessions ctx.Earlier[] the newest first
---@field more boolean there are older ones

--- Earlier is a session that is not read until ctx/focus names it.
---@class (exact) ctx.Earlier
---@field session string
---@field agent string
---@field title string "" without one
--- The first words of the first prompt, for the screen: of a session without a title, if ctx/watch asks.
---@field opening? string
---@field workspace string where it was started
---@field host? string the program that runs it for its agent; absent otherwise
---@field started? integer milliseconds since 1970
---@field modified integer milliseconds since 1970
--- How full its window is, by the end of its transcript; null if it is older than a day, or too large.
---@field glimpse? ctx.Glimpse

--- Glimpse is a preview of a window from the end of a transcript, like a Reading.
---@class (exact) ctx.Glimpse
---@field model string
---@field used integer
---@field limit? integer
---@field percent? number
---@field basis ctx.Basis
---@field display ctx.Display
---@field part boolean only the end was counted, and nothing there was measured: there is at least so much

--- HandoverParams are the parameters of ctx/handover.
---@class (exact) ctx.HandoverParams
---@field id string of a session of this machine
---@field tokens? integer how long the note may be; default 2,000, at least 150
---@field unredacted? boolean Leave what looks like a secret in the texts.

--- HandoverAnswer is the answer of ctx/handover: the note, and what it was written from.
---@class (exact) ctx.HandoverAnswer
---@field session string
---@field text string in Markdown
---@field tokens integer how long the text is
---@field basis ctx.Basis of the tokens
---@field asked integer how long it might be
---@field firstAsked string
---@field lastAsked string "" if that is the first
---@field lastAnswer string
---@field todos ctx.HandoverTodo[]
---@field files ctx.HandoverFile[] those that were changed first, each sort the latest first
---@field failing ctx.HandoverFailure[] the last one first
---@field compactions integer
---@field skipped integer records that could not be read
---@field struck integer values in the texts that look like secrets

--- TodoState is how far an entry of an agent's list is.
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

--- ForgotParams are the parameters of ctx/forgot.
---@class (exact) ctx.ForgotParams
---@field id string of a session of this machine
---@field compaction? integer which one, 1 for the first; default the last
---@field unredacted? boolean leave what looks like a secret in the texts

--- ForgotAnswer is the answer of ctx/forgot: what was in the window before a compaction, and what became of it.
---@class (exact) ctx.ForgotAnswer
---@field session string
---@field compaction integer
---@field compactions integer of the session so far
---@field at? integer milliseconds since 1970
---@field auto boolean the agent compacted by itself
---@field summary string "" if it is not recorded
---@field summaryTells boolean false if the summary is not recorded
---@field items ctx.ForgotItem[] in their order
---@field kept ctx.ForgotSum
---@field inSummary ctx.ForgotSum
---@field gone ctx.ForgotSum
---@field unknown ctx.ForgotSum if the summary is not recorded
---@field total integer tokens of all items
---@field after? ctx.ForgotAfter the agent's own size; null if it records none
---@field reasoning integer items of reasoning, which are not listed
---@field basis ctx.Basis of the tokens
---@field struck integer values in the texts that look like secrets
---@field text string a line for users

--- ForgotState is what became of a thing in a compaction: it is sent on, the summary speaks of it, or it is gone. It is
--- unknown where the summary is not recorded.
---@alias ctx.ForgotState
---| "kept"
---| "inSummary"
---| "gone"
---| "unknown"

--- ForgotItem is a message, a call with its result, or a file with all that was read from it and written to it.
---@class (exact) ctx.ForgotItem
---@field kind string
---@field label string
---@field excerpt string the beginning of a message
---@field tokens? integer null if not counted
---@field state ctx.ForgotState
---@field kept integer tokens of it that are sent again; the rest is dropped if the state is kept
---@field names integer it has, and few others have
---@field found integer of them, in the summary
---@field missing string[] up to five of the others

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

--- ForgotSum is how much is in a state. Tokens of gone include the parts of kept items that are not sent again, such as
--- older versions of a file.
---@class (exact) ctx.ForgotSum
---@field items integer
---@field tokens integer

--- FirstParams are the parameters of ctx/first.
---@class (exact) ctx.FirstParams
---@field workspace string a path or a file URI
---@field agent? string only its sessions; default all agents'

--- FirstAnswer is the answer of ctx/first: what the sessions of a workspace began with, by agent.
---@class (exact) ctx.FirstAnswer
---@field workspace string
---@field agents ctx.FirstOf[]

--- FirstOf is what the sessions of one agent began with.
---@class (exact) ctx.FirstOf
---@field agent string
---@field name string as users know it
---@field sentence string how it changed, and by what
---@field change? ctx.FirstChange the same in numbers; null if there is nothing to compare
---@field sessions ctx.FirstRequest[] the oldest first

--- FirstChange is how the setup changed: the middle one of the newest sessions against that of the oldest.
---@class (exact) ctx.FirstChange
---@field from integer
---@field to integer
---@field since integer when the oldest session began, in milliseconds since 1970
---@field steady boolean they differ by less than 5% or 500 tokens
---@field kind string of the row that changed most in that direction; "" without one
---@field tokens integer by how much it changed; below zero if it shrank
---@field servers string[] the MCP servers by which it changed, of mcpTools
---@field otherModel boolean it may count otherwise

--- FirstRequest is what surrounded the conversation in the first request of a session: its setup.
---@class (exact) ctx.FirstRequest
---@field session string
---@field agentVersion string
---@field model string
---@field at integer when it began, in milliseconds since 1970
---@field in integer the whole first request
---@field setup integer without its conversation
---@field rows ctx.FirstRow[] sum to setup
---@field mcpServers ctx.FirstServer[]
---@field continues? boolean The session continues another conversation, so its first request does not show the setup.

--- FirstRow is one part of a setup.
---@class (exact) ctx.FirstRow
---@field kind string
---@field tokens integer

--- FirstServer is what the tools of an MCP server took of a setup.
---@class (exact) ctx.FirstServer
---@field name string
---@field tokens integer

--- FocusParams are the parameters of ctx/focus: what the person looks at. The first of them that leads to a session
--- counts.
---@class (exact) ctx.FocusParams
---@field session? string
---@field terminalPid? integer the process of a terminal, below which an agent runs
---@field file? string a path or a file URI
---@field workspace? string a path or a file URI

--- TerminalsParams are the parameters of ctx/terminals.
---@class (exact) ctx.TerminalsParams
---@field pids integer[] the processes of terminals, at most 256

--- TerminalsAnswer is the answer of ctx/terminals.
---@class (exact) ctx.TerminalsAnswer
---@field terminals ctx.Terminal[] in the order asked

--- Proof is why a process is known to run a session, the strongest first: the agent's own file on its process, the open
--- transcript, the id on the command line, or start times that leave one possibility, which is an inference. It is
--- empty without proof.
---@alias ctx.Proof
---| "sessionFile"
---| "openFile"
---| "command"
---| "start"

--- Terminal describes the agent in a terminal.
---@class (exact) ctx.Terminal
---@field pid integer
---@field agent string "" if none runs
---@field process integer the agent's; 0 if none runs
---@field session? string null if uncertain
---@field proof ctx.Proof
---@field status string the agent's own word: busy, idle, waiting, or ""
---@field candidates string[] if uncertain: the sessions to ask the user about
---@field because string a sentence

--- LevelParams report that a session crossed a level, compacted, or is no longer at work. Nothing goes up in a session
--- that is not live.
---@class (exact) ctx.LevelParams
---@field session string
---@field level ctx.Level
---@field before ctx.Level
---@field crossed ctx.Crossing
---@field first? boolean up, and never so far up before in this session
---@field compacted? boolean
---@field reading ctx.Reading

--- FocusedParams report that another session is to be shown.
---@class (exact) ctx.FocusedParams
---@field shown? ctx.Reason
---@field because? string a sentence
---@field candidates? string[] that the focused agent may run, if uncertain
---@field reading? ctx.Reading null when there is none

--- OfferParams offer a vocabulary that would make the counts of a watched session exact. Each is offered once, to one
--- client, and never again after an answer.
---@class (exact) ctx.OfferParams
---@field name string for ctx/vocabulary
---@field sentence string for users: its purpose, size and source
---@field phrase? ctx.Phrase the sentence as a phrase
---@field address string of the server
---@field licence string
---@field bytes integer to download
---@field model string of the session

--- VocabularyParams are the parameters of ctx/vocabulary.
---@class (exact) ctx.VocabularyParams
---@field name string as ctx/offer named it, or ctx-lsp vocab fetch does
---@field fetch? boolean true downloads it; false says that it is not wanted

--- ClosedParams report that a watched session was closed.
---@class (exact) ctx.ClosedParams
---@field session string

--- Settings are what a user can say. initializationOptions, the answer to workspace/configuration (section ctx) and the
--- settings of workspace/didChangeConfiguration have this one shape; names that are not here are a face's own.
---@class (exact) ctx.Settings
---@field model string for counting prompt files while no session sets it
---@field agent string whose loading rules apply if a file has several readers
---@field watch boolean whether the sessions of the workspace are watched for a client that does not ask for it
---@field notify ctx.NotifySettings
---@field promptFiles ctx.PromptFileSettings
--- folders in which the editor's extensions keep their tasks: the parent of globalStorageUri
---@field globalStorage? string[]

--- NotifySettings are about messages.
---@class (exact) ctx.NotifySettings
---@field level string window/showMessage from this level on: none, soon, now, over

--- PromptFileSettings are what a user can say about prompt files.
---@class (exact) ctx.PromptFileSettings
---@field codeLens boolean what the file weighs, above its first line
---@field inlayHints boolean the tokens of each section, after its heading
---@field hover boolean the breakdown
---@field diagnostics boolean what is too heavy, missing, circular or there twice
---@field budget ctx.FileBudget
---@field phrases boolean add the phrases of texts, for a client that translates

--- FileBudget is how many tokens a file may weigh, its imports included, before a diagnostic says so; 0 for no limit.
---@class (exact) ctx.FileBudget
---@field always integer what is in every request
---@field loaded integer what is loaded by path or on demand

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
---@field reading ctx.Foreign a Reading as it came
---@field state? string of the answer for the Reading before; absent for a session's first

--- CrossingAnswer says whether a level was crossed. Only state is there where none was.
---@class (exact) ctx.CrossingAnswer
---@field state string to be given with the session's next Reading
---@field level? ctx.Level
---@field before? ctx.Level
---@field crossed? ctx.Crossing
---@field first? boolean up, and never so far up before in this session
---@field compacted? boolean

--- Hundredths is a number with two decimals, most often a percentage: 2605 is 26.05. It reads and writes JSON exactly,
--- so that no face rounds it again.
---@alias ctx.Hundredths number
