export const LIMIT: number = 2;
export function shout(word: string): string {
  return `${word.toUpperCase()}!`;
}
