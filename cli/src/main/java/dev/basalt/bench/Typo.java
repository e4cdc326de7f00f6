package dev.basalt.bench;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** How far two words are from each other. */
public final class Typo {
    private Typo() {}

    /**
     * The words that are closest to what was typed, if any is close.
     *
     * @param typed what was typed
     * @param words what there is
     * @return the closest; none if nothing is close
     */
    public static List<String> closest(String typed, Collection<String> words) {
        int least = Math.max(1, typed.length() / 3);
        List<String> close = new ArrayList<>();
        for (String word : words) {
            int wrong = typed.length() > 2 && word.startsWith(typed) ? 1 : distance(typed, word);
            if (wrong < least) {
                close.clear();
                least = wrong;
            }
            if (wrong == least) {
                close.add(word);
            }
        }
        return close;
    }

    /**
     * The least number of letters to put in, take out, change, or exchange with the next one, that makes one word the other
     * (Damerau, 1964; without changes inside an exchange).
     *
     * @param typed a word
     * @param meant another word
     * @return 0 if they are the same
     */
    public static int distance(String typed, String meant) {
        int[][] d = new int[typed.length() + 1][meant.length() + 1];
        for (int i = 0; i <= typed.length(); i++) {
            for (int j = 0; j <= meant.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int change = typed.charAt(i - 1) == meant.charAt(j - 1) ? 0 : 1;
                d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + change);
                boolean exchanged = i > 1 && j > 1 && typed.charAt(i - 1) == meant.charAt(j - 2)
                        && typed.charAt(i - 2) == meant.charAt(j - 1);
                if (exchanged) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[typed.length()][meant.length()];
    }
}
