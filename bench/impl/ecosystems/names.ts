/** In the order in which they are looked for: Maven runs on the JDK that was found before it. */
export const toolchainNames = ["deno", "rust", "go", "java", "maven"] as const;
export type ToolchainName = typeof toolchainNames[number];
