package io.ballast.cli.cluster;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The difference between two texts in the unified format, by the algorithm of Myers ("An O(ND) Difference Algorithm and
 * Its Variations", 1986). If more than {@value #MAX_EDITS} lines differ, the whole text is shown as replaced.
 * Stateless. Cost: O(n · d) time and O(d²) memory for n lines and d differences.
 */
final class UnifiedDiff {

    static final int MAX_EDITS = 1_000;

    private static final int CONTEXT = 3;

    private UnifiedDiff() {}

    /** A line of the result: a space, minus or plus, and the text. */
    private record Edit(char sign, String text) {}

    /** Returns the lines of all hunks; empty if the texts are equal. */
    static List<String> hunks(List<String> before, List<String> after) {
        return print(edits(before, after));
    }

    private static List<Edit> edits(List<String> before, List<String> after) {
        int max = Math.min(MAX_EDITS, before.size() + after.size());
        int[] reached = new int[2 * max + 3]; // the line of the old text that each diagonal has reached
        int middle = max + 1;
        List<int[]> history = new ArrayList<>();
        for (int depth = 0; depth <= max; depth++) {
            history.add(Arrays.copyOfRange(reached, middle - depth - 1, middle + depth + 2));
            for (int diagonal = -depth; diagonal <= depth; diagonal += 2) {
                boolean isInsertion = diagonal == -depth
                        || (diagonal != depth && reached[middle + diagonal - 1] < reached[middle + diagonal + 1]);
                int line = isInsertion ? reached[middle + diagonal + 1] : reached[middle + diagonal - 1] + 1;
                int other = line - diagonal;
                while (line < before.size()
                        && other < after.size()
                        && before.get(line).equals(after.get(other))) {
                    line++;
                    other++;
                }
                reached[middle + diagonal] = line;
                if (line >= before.size() && other >= after.size()) {
                    return trace(before, after, history);
                }
            }
        }
        List<Edit> replaced = new ArrayList<>();
        before.forEach(line -> replaced.add(new Edit('-', line)));
        after.forEach(line -> replaced.add(new Edit('+', line)));
        return replaced;
    }

    /** Reconstructs the shortest edit script, from the end to the beginning. */
    private static List<Edit> trace(List<String> before, List<String> after, List<int[]> history) {
        List<Edit> edits = new ArrayList<>();
        int line = before.size();
        int other = after.size();
        for (int depth = history.size() - 1; depth > 0; depth--) {
            int[] reached = history.get(depth); // the first element belongs to diagonal -depth - 1
            int diagonal = line - other;
            int at = diagonal + depth + 1;
            boolean isInsertion = diagonal == -depth || (diagonal != depth && reached[at - 1] < reached[at + 1]);
            int previous = isInsertion ? reached[at + 1] : reached[at - 1];
            int previousOther = previous - (isInsertion ? diagonal + 1 : diagonal - 1);
            while (line > previous && other > previousOther) {
                edits.add(new Edit(' ', before.get(--line)));
                other--;
            }
            if (isInsertion) {
                edits.add(new Edit('+', after.get(--other)));
            } else {
                edits.add(new Edit('-', before.get(--line)));
            }
        }
        while (line > 0) {
            edits.add(new Edit(' ', before.get(--line)));
        }
        Collections.reverse(edits);
        return edits;
    }

    private static List<String> print(List<Edit> edits) {
        List<String> lines = new ArrayList<>();
        int line = 1;
        int other = 1;
        int i = 0;
        while (i < edits.size()) {
            if (edits.get(i).sign() == ' ') {
                i++;
                line++;
                other++;
                continue;
            }
            int start = Math.max(0, i - CONTEXT);
            int end = endOfHunk(edits, i);
            int context = i - start;
            List<Edit> hunk = edits.subList(start, end);
            int removed = (int) hunk.stream().filter(edit -> edit.sign() != '+').count();
            int added = (int) hunk.stream().filter(edit -> edit.sign() != '-').count();
            lines.add("@@ -" + range(line - context, removed) + " +" + range(other - context, added) + " @@");
            hunk.forEach(edit -> lines.add(edit.sign() + edit.text()));
            line += removed - context;
            other += added - context;
            i = end;
        }
        return lines;
    }

    /**
     * Returns the end of the hunk whose first change is at {@code first}. Changes that are close to each other are in
     * one hunk.
     */
    private static int endOfHunk(List<Edit> edits, int first) {
        int last = first;
        for (int i = first; i < edits.size() && i - last <= 2 * CONTEXT; i++) {
            if (edits.get(i).sign() != ' ') {
                last = i;
            }
        }
        return Math.min(edits.size(), last + 1 + CONTEXT);
    }

    private static String range(int start, int length) {
        return length == 0 ? (start - 1) + ",0" : start + "," + length;
    }
}
