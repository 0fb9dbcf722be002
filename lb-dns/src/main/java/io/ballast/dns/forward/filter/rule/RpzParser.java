package io.ballast.dns.forward.filter.rule;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.filter.rule.FilterRule.Subject;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The records of a response policy zone (<a
 * href="https://datatracker.ietf.org/doc/html/draft-vixie-dnsop-dns-rpz-00">draft-vixie-dnsop-dns-rpz</a>), as far as
 * they are about names that are asked: {@code CNAME .} (NXDOMAIN), {@code CNAME *.} (NODATA),
 * {@code CNAME rpz-passthru.} (allowed), {@code CNAME} with another name (becomes an alias of it), {@code A} and
 * {@code AAAA} (answered with that). A name is meant alone, {@code *.name} all below it. Other actions and triggers are
 * refused; SOA and NS records and their continuation are passed over.
 *
 * <p>Thread safety: confined to one thread, which uses it for one zone.
 */
final class RpzParser {

    private static final String EXPECTED =
            "CNAME ., CNAME *., CNAME rpz-passthru., CNAME NAME., A or AAAA; other actions of zones are not supported";
    private static final Set<String> TYPES = Set.of(
            "CNAME", "A", "AAAA", "SOA", "NS", "TXT", "MX", "SRV", "PTR", "DNAME", "CAA", "DS", "NAPTR", "HTTPS",
            "SVCB");
    private static final Set<String> TRIGGERS =
            Set.of("rpz-ip", "rpz-nsip", "rpz-client-ip", "rpz-nsdname", "rpz-drop", "rpz-passthru");

    /** Limit of lines of one record, so that an unclosed record does not consume the list. */
    private static final int MAX_CONTINUED = 16;

    private final RuleSink sink;
    private @Nullable String origin;
    private @Nullable String owner;
    /** Number of open parentheses, and for how many lines they have been open. */
    private int depth;

    private int continued;

    RpzParser(RuleSink sink) {
        this.sink = sink;
    }

    /**
     * Parses a line that may be part of a zone.
     *
     * @param read the line with its leading blanks, which stand for the previous owner
     * @return whether it is one
     */
    boolean line(int line, String read, String text) {
        int semicolon = text.indexOf(';');
        String record = (semicolon < 0 ? text : text.substring(0, semicolon)).strip();
        if (depth > 0) {
            continued++;
            depth = continued == MAX_CONTINUED ? 0 : Math.max(0, depth + depthOf(record));
            return true;
        }
        if (record.startsWith("$")) {
            return directive(line, record);
        }
        String[] words = record.split("\\s+");
        boolean hasOwner = !(Character.isWhitespace(read.isEmpty() ? 'x' : read.charAt(0)) && isBeforeData(words[0]));
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
        depth = Math.max(0, depthOf(record));
        continued = 0;
        record(line, text, owner == null ? "" : owner, words[type].toUpperCase(Locale.ROOT), words[type + 1]);
        return true;
    }

    private static int depthOf(String record) {
        int opened = 0;
        for (int i = 0; i < record.length(); i++) {
            char c = record.charAt(i);
            opened += c == '(' ? 1 : c == ')' ? -1 : 0;
        }
        return opened;
    }

    private boolean directive(int line, String record) {
        String[] words = record.split("\\s+");
        switch (words[0].toUpperCase(Locale.ROOT)) {
            case "$ORIGIN" -> {
                origin = words.length == 2 ? RuleName.parse(words[1]) : null;
                if (origin == null && !(words.length == 2 && words[1].equals("."))) {
                    sink.refused(RefusedLine.of(line, record, "$ORIGIN and a name"));
                }
            }
            case "$TTL" -> {}
            default -> {
                return false;
            }
        }
        return true;
    }

    private static boolean isBeforeData(String word) {
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

    private void record(int line, String text, String of, String type, String data) {
        if (type.equals("SOA")) {
            if (of.endsWith(".") && origin == null) {
                origin = RuleName.parse(of);
            }
            return;
        }
        if (type.equals("NS")) {
            return;
        }
        FilterRule rule = rule(line, of);
        FilterRule acting = rule == null ? null : acting(rule, of, type, data);
        if (acting == null) {
            sink.refused(RefusedLine.of(line, text, rule == null ? "a name of the zone before the record" : EXPECTED));
        } else {
            sink.rule(acting);
        }
    }

    /** Returns the rule for an owner, without its action; null if it does not apply to queried names. */
    private @Nullable FilterRule rule(int line, String of) {
        boolean isBelow = of.startsWith("*.");
        String relative = relative(isBelow ? of.substring(2) : of);
        String name = relative == null ? null : RuleName.parse(relative);
        if (name == null || isTrigger(name)) {
            return null;
        }
        return FilterRule.block(line, isBelow ? Subject.BELOW : Subject.NAME, name);
    }

    /** Whether an owner with this name is not about queried names, because it ends with a trigger or an action of RPZ. */
    static boolean isTrigger(String name) {
        return TRIGGERS.contains(name.substring(name.lastIndexOf('.') + 1));
    }

    /** The owner without the zone's own name; null if it is not in the zone. */
    private @Nullable String relative(String of) {
        if (!of.endsWith(".") || origin == null) {
            return of;
        }
        String tail = "." + origin + ".";
        return of.endsWith(tail) ? of.substring(0, of.length() - tail.length()) : null;
    }

    private static @Nullable FilterRule acting(FilterRule rule, String of, String type, String data) {
        return switch (type) {
            case "CNAME" -> alias(rule, of, data);
            case "A", "AAAA" -> address(rule, type, data);
            default -> null;
        };
    }

    /** An old zone allows a name by an alias to itself. */
    private static @Nullable FilterRule alias(FilterRule rule, String of, String data) {
        String target = data.toLowerCase(Locale.ROOT);
        if (target.equals(".")) {
            return rule.answering(BlockAnswer.NXDOMAIN, /* with= */ null);
        }
        if (target.equals("*.")) {
            return rule.answering(BlockAnswer.NODATA, /* with= */ null);
        }
        boolean isItself = target.equals(rule.text() + ".") && !of.startsWith("*.");
        if (target.equals("rpz-passthru.") || isItself) {
            return rule.allowing();
        }
        boolean isAction = target.startsWith("rpz-", target.lastIndexOf('.', target.length() - 2) + 1);
        String name = target.endsWith(".") && !isAction ? RuleName.parse(target) : null;
        return name == null ? null : rule.aliasOf(name).asPattern();
    }

    private static @Nullable FilterRule address(FilterRule rule, String type, String data) {
        try {
            IpAddress address = IpAddress.parse(data);
            return address.isIpv4() == type.equals("A") ? rule.answering(BlockAnswer.ADDRESS, address) : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
