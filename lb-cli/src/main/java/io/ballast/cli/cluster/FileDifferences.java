package io.ballast.cli.cluster;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Differences between two sets of files, in the unified format of diff. Stateless. */
final class FileDifferences {

    private FileDifferences() {}

    /** Returns the lines of the difference; empty if the files are equal. */
    static List<String> lines(long from, SortedMap<String, byte[]> before, long to, SortedMap<String, byte[]> after) {
        SortedSet<String> paths = new TreeSet<>(before.keySet());
        paths.addAll(after.keySet());
        List<String> lines = new ArrayList<>();
        for (String path : paths) {
            byte[] one = before.get(path);
            byte[] other = after.get(path);
            if (!Arrays.equals(one, other)) {
                String first = one == null ? "/dev/null" : "version-" + from + "/" + path;
                String second = other == null ? "/dev/null" : "version-" + to + "/" + path;
                lines.addAll(difference(first, one, second, other));
            }
        }
        return lines;
    }

    private static List<String> difference(
            String first, byte @Nullable [] one, String second, byte @Nullable [] other) {
        if (isBinary(one) || isBinary(other)) {
            return List.of("Binary files " + first + " and " + second + " differ");
        }
        List<String> lines = new ArrayList<>(List.of("--- " + first, "+++ " + second));
        lines.addAll(UnifiedDiff.hunks(text(one), text(other)));
        return lines;
    }

    private static boolean isBinary(byte @Nullable [] content) {
        if (content != null) {
            for (byte each : content) {
                if (each == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    private static List<String> text(byte @Nullable [] content) {
        return content == null
                ? List.of()
                : new String(content, StandardCharsets.UTF_8).lines().toList();
    }
}
