const KEY = "pincite.key";
const THEME = "pincite.theme";

/** The API key of this tab; it is gone when the tab is closed, and no other tab has it. */
export const session = {
  key: (): string | null => sessionStorage.getItem(KEY),
  begin: (key: string): void => sessionStorage.setItem(KEY, key),
  end: (): void => sessionStorage.removeItem(KEY),
};

export type Theme = "system" | "light" | "dark";

/** Light, dark, or as the system has it. */
export const theme = {
  get: (): Theme => {
    const kept = localStorage.getItem(THEME);
    return kept === "light" || kept === "dark" ? kept : "system";
  },
  set: (to: Theme): void => {
    if (to === "system") localStorage.removeItem(THEME);
    else localStorage.setItem(THEME, to);
    theme.show();
  },
  show: (): void => {
    document.documentElement.dataset["theme"] = theme.get();
  },
};
