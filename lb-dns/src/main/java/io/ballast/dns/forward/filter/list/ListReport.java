package io.ballast.dns.forward.filter.list;

import io.ballast.dns.forward.filter.rule.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Describes a list after it was read, as lines for a log or a terminal. */
final class ListReport {

    private static final int MAX_EXAMPLES = 3;

    private ListReport() {}

    /** Returns up to two lines: one about refused lines, and one about broad rules. */
    static List<String> of(String name, RuleSet rules) {
        List<String> lines = new ArrayList<>();
        if (rules.refusedCount() > 0) {
            lines.add("list " + name + ": " + formatCount(rules.refusedCount(), "line") + " rejected and ignored: "
                    + examples(rules.refusals(), rules.refusedCount()));
        }
        if (rules.broadCount() > 0) {
            lines.add("list " + name + ": " + formatCount(rules.broadCount(), "rule")
                    + " for a whole top-level domain or more, applied as written: "
                    + examples(rules.broadRules(), rules.broadCount()));
        }
        return lines;
    }

    private static String formatCount(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    private static String examples(List<?> first, int all) {
        String shown =
                first.stream().limit(MAX_EXAMPLES).map(ListReport::sanitize).collect(Collectors.joining("; "));
        return all > MAX_EXAMPLES ? shown + "; and " + (all - MAX_EXAMPLES) + " more" : shown;
    }

    /**
     * Replaces control characters and quotes, because the text of a list is untrusted and must not end a log
     * line.
     */
    private static String sanitize(Object example) {
        return example.toString().replaceAll("\\p{Cntrl}", "?").replace('"', '\'');
    }
}
