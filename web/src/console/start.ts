import type { Api } from "../shared/api";
import type { AgentList, CollectionList } from "../types/server";

/** Returns the address to begin at: Ask where there is something to ask and somebody to answer, else the library. */
export async function startOf(api: Api): Promise<string> {
  const [collections, agents] = await Promise.all([
    api.get<CollectionList>("/api/manage/collections").catch(() => null),
    api.get<AgentList>("/api/manage/agents").catch(() => null),
  ]);
  const hasDocuments = collections?.collections.some((one) => one.documents > 0);
  return hasDocuments && agents && agents.agents.length > 0 ? "/console/ask" : "/console/library";
}
