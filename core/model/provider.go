// Copyright The ctx-lsp authors. MIT licence.

package model

// Provider is the one name of a provider, spelled as models.dev spells it;
// a name it does not know is answered in lower case and otherwise as it came.
func Provider(name string) string {
	name = lower(name)
	switch name {
	case "claude", "anthropic-messages", "anthropic-api", "claude-code":
		return "anthropic"
	case "openai-native", "openai-responses", "openai-chat", "openai-completions", "chatgpt", "openai.chat", "openai.responses":
		return "openai"
	case "codex", "openai-codex-responses":
		return "openai-codex"
	case "gemini", "google-gemini", "google-generative-ai", "google-genai", "googleai", "google-ai", "google-ai-studio", "google-gemini-cli", "google.generative-ai":
		return "google"
	case "vertex", "vertexai", "vertex-ai", "google-vertex-ai", "google-vertex-anthropic", "vertex_ai", "gcp.vertex_ai":
		return "google-vertex"
	case "bedrock", "aws-bedrock", "aws", "bedrock-mantle", "bedrock-converse", "aws.bedrock":
		return "amazon-bedrock"
	case "azure-openai", "azure-cognitive-services", "azure-openai-responses", "azure.ai.openai", "azure-ai-foundry", "foundry":
		return "azure"
	case "x.ai", "grok", "x-ai", "xai-oauth", "spacexai":
		return "xai"
	case "mistralai", "mistral-ai", "mistral_ai":
		return "mistral"
	case "moonshot", "kimi", "moonshot-ai", "moonshotai-cn", "moonshot-ai-cn", "moonshot.ai":
		return "moonshotai"
	case "kimi-coding", "kimi-code", "kimi-code-plan-global", "kimi-code-plan-cn":
		return "kimi-for-coding"
	case "z.ai", "z-ai", "zhipu", "zhipuai", "glm", "bigmodel", "zai-org":
		return "zai"
	case "zai-coding", "zai-coding-cn", "zhipuai-coding-plan", "zhipu-coding-plan":
		return "zai-coding-plan"
	case "qwen", "dashscope", "alibaba-cn", "aliyun", "bailian":
		return "alibaba"
	case "qwen-token-plan", "qwen-token-plan-cn", "qwen-token-plan-individual", "qwen-token-plan-individual-cn", "alibaba-token-plan-cn":
		return "alibaba-token-plan"
	case "alibaba-coding-plan-cn", "qwen-portal":
		return "alibaba-coding-plan"
	case "minimax-cn", "minimax-coding-plan", "minimax-cn-coding-plan", "minimax-code", "minimax-code-cn", "minimaxi":
		return "minimax"
	case "fireworks":
		return "fireworks-ai"
	case "together", "together-ai", "together_ai", "together.ai":
		return "togetherai"
	case "vercel-ai-gateway", "ai-gateway":
		return "vercel"
	case "copilot", "githubcopilot", "github_copilot", "copilot-chat":
		return "github-copilot"
	case "opencode-zen", "zen":
		return "opencode"
	case "meta", "meta-llama":
		return "llama"
	case "xiaomi-token-plan-ams", "xiaomi-token-plan-cn", "xiaomi-token-plan-sgp", "mimo", "xiaomi-token-plan":
		return "xiaomi"
	case "novita":
		return "novita-ai"
	case "stepfun-ai":
		return "stepfun"
	case "llamacpp", "llama-cpp", "llama-server", "llama_cpp":
		return "llama.cpp"
	case "lm-studio", "lm_studio":
		return "lmstudio"
	case "cohere-ai":
		return "cohere"
	case "deepseek-ai", "deepseek.ai":
		return "deepseek"
	case "perplexity-ai", "perplexity-agent":
		return "perplexity"
	case "open-router":
		return "openrouter"
	case "gcp.gemini":
		return "google"
	case "x_ai":
		return "xai"
	}
	// SDKs append the API: "anthropic.messages", "azure.responses".
	if dot := firstByte(name, '.'); dot > 0 {
		switch name[:dot] {
		case "anthropic", "openai", "google", "azure", "xai", "mistral", "groq", "deepseek", "cohere", "perplexity", "openrouter", "vertex", "bedrock", "moonshotai", "alibaba":
			return Provider(name[:dot])
		}
	}
	return name
}

func lower(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for ; i < len(b); i++ {
				if b[i] >= 'A' && b[i] <= 'Z' {
					b[i] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}
