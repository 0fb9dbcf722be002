package io.ballast.cli.dns;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Formats an explanation of DNS answers as lines of text. An asterisk marks each item that answers can use. */
final class ExplanationText {

    private static final String INDENT = "  ";

    private final StringBuilder out = new StringBuilder();

    private ExplanationText() {}

    /** @param explanation texts, numbers, lists and maps, as returned by the API */
    static String of(Map<?, ?> explanation) {
        ExplanationText text = new ExplanationText();
        text.head(explanation);
        if (explanation.get("target") instanceof Map<?, ?> target) {
            text.target(target, "");
        }
        for (Object family : items(explanation, "families")) {
            text.family((Map<?, ?>) family);
        }
        return text.out.toString();
    }

    private void head(Map<?, ?> explanation) {
        line(explanation.get("name") + " " + explanation.get("type") + " for " + explanation.get("client"));
        String answer =
                items(explanation, "answer").stream().map(String::valueOf).collect(Collectors.joining(", "));
        line("answer:   " + (answer.isEmpty() ? emptyAnswerText(explanation) : answer));
        line("decided:  " + explanation.get("decision"));
        line("ttl:      " + explanation.get("ttl_seconds") + " s, " + explanation.get("ttl_reason"));
    }

    private static String emptyAnswerText(Map<?, ?> explanation) {
        return "A".equals(explanation.get("type")) || "AAAA".equals(explanation.get("type"))
                ? "no address"
                : "no record";
    }

    /** Appends the decision for one address family, and its targets. */
    private void family(Map<?, ?> family) {
        line(family.get("type") + ": " + family.get("decision"));
        if (family.get("target") instanceof Map<?, ?> target) {
            target(target, INDENT);
        }
    }

    private void target(Map<?, ?> target, String indent) {
        String role = String.valueOf(target.get("role"));
        String reason = String.valueOf(target.get("reason"));
        line(indent + mark(target) + (role.isEmpty() ? "" : role + ": ") + target.get("rule") + " ("
                + target.get("state") + ")" + (reason.isEmpty() ? "" : ": " + reason));
        for (Object inside : items(target, "targets")) {
            target((Map<?, ?>) inside, indent + INDENT);
        }
        for (Object item : items(target, "records")) {
            Map<?, ?> record = (Map<?, ?>) item;
            line(indent + INDENT + mark(record) + record.get("data") + " " + record.get("state") + ": "
                    + record.get("condition"));
        }
        for (Object item : items(target, "backends")) {
            Map<?, ?> backend = (Map<?, ?>) item;
            line(indent + INDENT + mark(backend) + backend.get("address") + " " + backend.get("state") + ": "
                    + backend.get("reason"));
        }
    }

    private static String mark(Map<?, ?> candidate) {
        return Boolean.TRUE.equals(candidate.get("used")) ? "* " : "- ";
    }

    private static List<?> items(Map<?, ?> map, String key) {
        return map.get(key) instanceof List<?> list ? list : List.of();
    }

    private void line(String text) {
        out.append(text).append(System.lineSeparator());
    }
}
