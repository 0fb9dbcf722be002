package io.ballast.dns.forward.filter.rule;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.filter.rule.FilterRule.Subject;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parses the records of a response policy zone (<a
 * href="https://datatracker.ietf.org/doc/html/draft-vixie-dnsop-dns-rpz-00">draft-vixie-dnsop-dns-rpz</a>) that apply
 * to queried names: {@code CNAME .} (NXDOMAIN), {@code CNAME *.} (NODATA), {@code CNAME rpz-passthru.} (allowed),
 * {@code CNAME} with another name (answered with an alias to that name), {@code A} and {@code AAAA} (answered with that
 * address). An owner name applies to that name only, {@code *.name} to all names below it. Other actions and triggers
 * are refused; SOA and NS records and their continuation lines are skipped.
 *
 * <p>Thread safety: confined to one thread, which uses it for one zone.
 */
final class RpzParser {

    private static final String EXPECTED_FORM =
            "CNAME ., CNAME *., CNAME rpz-passthru., CNAME NAME., A or AAAA; other actions of zones are not supported";
    private static final Set<String> TYPES = Set.of(
            "CNAME", "A", "AAAA", "SOA", "NS", "TXT", "MX", "SRV", "PTR", "DNAME", "CAA", "DS", "NAPTR", "HTTPS",
            "SVCB");
    private static final Set<String> TRIGGERS =
            Set.of("rpz-ip", "rpz-nsip", "rpz-client-ip", "rpz-nsdname", "rpz-drop", "rpz-passthru");

    /**
     * Maximum number of lines of one record, so that an unclosed parenthesis does not consume the rest of the
     * list.
     */
    private static final int MAX_CONTINUATION_LINES = 16;

    private final RuleSink sink;
    private @Nullable String origin;
    private @Nullable String owner;
    /**
     * Number of open parentheses; {@code continuationLines} counts the lines since the first one was opened.
     */
    private int parenthesisDepth;

    private int continuationLines;

    RpzParser(RuleSink sink) {
        this.sink = sink;
    }

    /**
     * Parses a line that may be part of a zone.
     *
     * @param rawLine the line with its leading blanks, which mean that the previous owner name applies
     * @return whether the line is part of a zone
     */
    boolean parseLine(int line, String rawLine, String text) {
        int semicolon = text.indexOf(';');
        String record = (semicolon < 0 ? text : text.substring(0, semicolon)).strip();
        if (parenthesisDepth > 0) {
            continuationLines++;
            parenthesisDepth = continuationLines == MAX_CONTINUATION_LINES
                    ? 0
                    : Math.max(0, parenthesisDepth + parenthesisBalance(record));
            return true;
        }
        if (record.startsWith("$")) {
            return parseDirective(line, record);
        }
        String[] words = record.split("\\s+");
        boolean hasOwner =
                !(Character.isWhitespace(rawLine.isEmpty() ? 'x' : rawLine.charAt(0)) && isTtlClassOrType(words[0]));
        int type = hasOwner ? 1 : 0;
        while (type < words.length && isTtlOrClass(words[type])) {
            type++;
        }
        if (type + 1 >= words.length || !TYPES.contains(words[type].toUpperCase(Locale.ROOT))) {
            return false;
        }
        if (hasOwner) {
            owner = words[0].toLowerCase(Locale.ROOT);
        }
        parenthesisDepth = Math.max(0, parenthesisBalance(record));
        continuationLines = 0;
        addRecord(line, text, owner == null ? "" : owner, words[type].toUpperCase(Locale.ROOT), words[type + 1]);
        return true;
    }

    private static int parenthesisBalance(String record) {
        int opened = 0;
        for (int i = 0; i < record.length(); i++) {
            char c = record.charAt(i);
            opened += c == '(' ? 1 : c == ')' ? -1 : 0;
        }
        return opened;
    }

    private boolean parseDirective(int line, String record) {
        String[] words = record.split("\\s+");
        switch (words[0].toUpperCase(Locale.ROOT)) {
            case "$ORIGIN" -> {
                origin = words.length == 2 ? RuleName.parse(words[1]) : null;
                if (origin == null && !(words.length == 2 && words[1].equals("."))) {
                    sink.onRefused(RefusedLine.of(line, record, "$ORIGIN followed by a name"));
                }
            }
            case "$TTL" -> {}
            default -> {
                return false;
            }
        }
        return true;
    }

    private static boolean isTtlClassOrType(String word) {
        return isTtlOrClass(word) || TYPES.contains(word.toUpperCase(Locale.ROOT));
    }

    private static boolean isTtlOrClass(String word) {
        if (word.equalsIgnoreCase("IN")) {
            return true;
        }
        for (int i = 0; i < word.length(); i++) {
            char c = Character.toLowerCase(word.charAt(i));
            if (!((c >= '0' && c <= '9') || (i > 0 && "smhdw".indexOf(c) >= 0))) {
                return false;
            }
        }
        return !word.isEmpty();
    }

    private void addRecord(int line, String text, String ownerName, String type, String data) {
        if (type.equals("SOA")) {
            if (ownerName.endsWith(".") && origin == null) {
                origin = RuleName.parse(ownerName);
            }
            return;
        }
        if (type.equals("NS")) {
            return;
        }
        FilterRule rule = toRule(line, ownerName);
        FilterRule action = rule == null ? null : applyAction(rule, ownerName, type, data);
        if (action == null) {
            sink.onRefused(
                    RefusedLine.of(line, text, rule == null ? "a name of the zone before the record" : EXPECTED_FORM));
        } else {
            sink.onRule(action);
        }
    }

    /**
     * Returns the rule for an owner name, without an action; null if the owner does not refer to queried names.
     */
    private @Nullable FilterRule toRule(int line, String ownerName) {
        boolean isBelow = ownerName.startsWith("*.");
        String relative = relativeName(isBelow ? ownerName.substring(2) : ownerName);
        String name = relative == null ? null : RuleName.parse(relative);
        if (name == null || isTrigger(name)) {
            return null;
        }
        return FilterRule.block(line, isBelow ? Subject.BELOW : Subject.NAME, name);
    }

    /**
     * Whether an owner name ends with a trigger or an action of RPZ, so that it does not apply to queried names.
     */
    static boolean isTrigger(String name) {
        return TRIGGERS.contains(name.substring(name.lastIndexOf('.') + 1));
    }

    /** Returns the owner relative to the zone name; null if it is not in the zone. */
    private @Nullable String relativeName(String ownerName) {
        if (!ownerName.endsWith(".") || origin == null) {
            return ownerName;
        }
        String tail = "." + origin + ".";
        return ownerName.endsWith(tail) ? ownerName.substring(0, ownerName.length() - tail.length()) : null;
    }

    private static @Nullable FilterRule applyAction(FilterRule rule, String ownerName, String type, String data) {
        return switch (type) {
            case "CNAME" -> applyCname(rule, ownerName, data);
            case "A", "AAAA" -> applyAddress(rule, type, data);
            default -> null;
        };
    }

    /** Applies a CNAME record to a rule. In old zones, an alias of a name to itself allows the name. */
    private static @Nullable FilterRule applyCname(FilterRule rule, String ownerName, String data) {
        String target = data.toLowerCase(Locale.ROOT);
        if (target.equals(".")) {
            return rule.withAnswer(BlockAnswer.NXDOMAIN, /* newAddress= */ null);
        }
        if (target.equals("*.")) {
            return rule.withAnswer(BlockAnswer.NODATA, /* newAddress= */ null);
        }
        boolean isItself = target.equals(rule.text() + ".") && !ownerName.startsWith("*.");
        if (target.equals("rpz-passthru.") || isItself) {
            return rule.toAllowRule();
        }
        boolean isAction = target.startsWith("rpz-", target.lastIndexOf('.', target.length() - 2) + 1);
        String name = target.endsWith(".") && !isAction ? RuleName.parse(target) : null;
        return name == null ? null : rule.withAlias(name).asPattern();
    }

    private static @Nullable FilterRule applyAddress(FilterRule rule, String type, String data) {
        try {
            IpAddress address = IpAddress.parse(data);
            return address.isIpv4() == type.equals("A") ? rule.withAnswer(BlockAnswer.ADDRESS, address) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
