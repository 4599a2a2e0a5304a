// Copyright The ctx-lsp authors. MIT licence.

package model

import "strings"

// Provider returns the canonical name of a provider, as spelled by models.dev. Unknown names are returned in lower
// case.
func Provider(name string) string {
	name = strings.ToLower(name)
	if known, ok := spelled(name); ok {
		return known
	}
	// SDKs append the API: "anthropic.messages", "azure.responses".
	if dot := strings.IndexByte(name, '.'); dot > 0 {
		switch name[:dot] {
		case "anthropic", "openai", "google", "azure", "xai", "mistral", "groq", "deepseek", "cohere", "perplexity", "openrouter", "vertex", "bedrock", "moonshotai", "alibaba":
			return Provider(name[:dot])
		}
	}
	return name
}

// spelled returns the first word of the line of spellings that contains name.
func spelled(name string) (string, bool) {
	if name == "" || strings.ContainsAny(name, " \n") {
		return "", false
	}
	for from := 0; ; {
		at := strings.Index(spellings[from:], name)
		if at < 0 {
			return "", false
		}
		at += from
		end := at + len(name)
		if at > 0 && spellings[at-1] == ' ' && (spellings[end] == ' ' || spellings[end] == '\n') {
			line := spellings[strings.LastIndexByte(spellings[:at], '\n')+1:]
			return line[:strings.IndexByte(line, ' ')], true
		}
		from = end
	}
}

// spellings has a line for each provider: its name, followed by its other names.
const spellings = `anthropic claude anthropic-messages anthropic-api claude-code
openai openai-native openai-responses openai-chat openai-completions chatgpt openai.chat openai.responses
openai-codex codex openai-codex-responses
google gemini google-gemini google-generative-ai google-genai googleai google-ai google-ai-studio google-gemini-cli google.generative-ai gcp.gemini
google-vertex vertex vertexai vertex-ai google-vertex-ai google-vertex-anthropic vertex_ai gcp.vertex_ai
amazon-bedrock bedrock aws-bedrock aws bedrock-mantle bedrock-converse aws.bedrock
azure azure-openai azure-cognitive-services azure-openai-responses azure.ai.openai azure-ai-foundry foundry
xai x.ai grok x-ai xai-oauth spacexai x_ai
mistral mistralai mistral-ai mistral_ai
moonshotai moonshot kimi moonshot-ai moonshotai-cn moonshot-ai-cn moonshot.ai
kimi-for-coding kimi-coding kimi-code kimi-code-plan-global kimi-code-plan-cn
zai z.ai z-ai zhipu zhipuai glm bigmodel zai-org
zai-coding-plan zai-coding zai-coding-cn zhipuai-coding-plan zhipu-coding-plan
alibaba qwen dashscope alibaba-cn aliyun bailian
alibaba-token-plan qwen-token-plan qwen-token-plan-cn qwen-token-plan-individual qwen-token-plan-individual-cn alibaba-token-plan-cn
alibaba-coding-plan alibaba-coding-plan-cn qwen-portal
minimax minimax-cn minimax-coding-plan minimax-cn-coding-plan minimax-code minimax-code-cn minimaxi
fireworks-ai fireworks
togetherai together together-ai together_ai together.ai
vercel vercel-ai-gateway ai-gateway
github-copilot copilot githubcopilot github_copilot copilot-chat
opencode opencode-zen zen
llama meta meta-llama
xiaomi xiaomi-token-plan-ams xiaomi-token-plan-cn xiaomi-token-plan-sgp mimo xiaomi-token-plan
novita-ai novita
stepfun stepfun-ai
llama.cpp llamacpp llama-cpp llama-server llama_cpp
lmstudio lm-studio lm_studio
cohere cohere-ai
deepseek deepseek-ai deepseek.ai
perplexity perplexity-ai perplexity-agent
openrouter open-router
`
