package io.ballast.dns.forward.filter.rule;

import io.ballast.core.ErrorText;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.filter.rule.FilterRule.Subject;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Parses the lines of a list. Every list may contain all formats:
 *
 * <table> <caption>What a line means</caption> <tr><td>{@code ||name^}, {@code ||name}</td><td>the name and
 * all names below it</td></tr> <tr><td>{@code |name^}, {@code |name|}</td><td>the name only</td></tr>
 * <tr><td>{@code *.name}, {@code ||*.name^}</td><td>all names below the name</td></tr>
 * <tr><td>{@code name}</td><td>the name only, as in AdGuard Home, Pi-hole and Blocky; it must contain a
 * dot</td></tr> <tr><td>{@code 0.0.0.0 name name}</td><td>these names only; {@code ::} and loopback
 * addresses have the same effect</td></tr> <tr><td>{@code 192.0.2.1 name}</td><td>the name only, answered
 * with that address</td></tr> <tr><td>{@code /expression/}</td><td>names that contain a match of the
 * expression</td></tr> <tr><td>{@code 192.0.2.1}, {@code 192.0.2.0/24},
 * {@code ||192.0.2.1^}</td><td>answers with such an address</td></tr> <tr><td>{@code name CNAME .} and the
 * like</td><td>a response policy zone: {@link RpzParser}</td></tr> <tr><td>{@code @@} before {@code |},
 * {@code *.} or {@code /}</td><td>allows instead</td></tr> <tr><td>{@code ||ads-*.example.*^}</td><td>a
 * pattern: {@link NamePattern}</td></tr> <tr><td>{@code address=/name/}, {@code local=/name/},
 * {@code server=/name/}</td><td>dnsmasq: {@link DnsmasqLine}</td></tr> <tr><td>{@code $important},
 * {@code $badfilter}, {@code $denyallow}, {@code $client}, {@code $dnstype}, {@code $dnsrewrite}</td>
 * <td>as in AdGuard Home: {@link RuleModifiers}</td></tr> <tr><td>{@code *$dnstype=HTTPS},
 * {@code ||*^$client=192.0.2.1}</td><td>every name</td></tr> <tr><td>{@code #}, {@code !}, {@code ;},
 * {@code [...]}</td><td>a comment; {@code #} also after a name</td></tr> </table>
 *
 * <p>All other lines are rejected: unknown modifiers, patterns without {@code *} that begin or end within a
 * label, paths, and the lines between {@code !#if} and {@code !#endif}. A rule that is only partly understood
 * would block more than intended.
 *
 * <p>Thread safety: confined to one thread, which uses it for one list.
 */
public final class RuleParser {

    static final int MAX_CHARACTERS = 2048;

    /** Patterns that match every name. */
    private static final Set<String> EVERY_NAME = Set.of("*", "*^", "||*", "||*^", "|*", "|*^");

    private static final Set<String> LOCAL_NAMES = Set.of(
            "localhost",
            "localhost.localdomain",
            "localhost4",
            "localhost4.localdomain4",
            "localhost6",
            "localhost6.localdomain6",
            "local",
            "broadcasthost",
            "ip6-localhost",
            "ip6-loopback",
            "ip6-localnet",
            "ip6-mcastprefix",
            "ip6-allnodes",
            "ip6-allrouters",
            "ip6-allhosts",
            "0.0.0.0");

    private final RuleSink sink;
    private final Predicate<String> isGroup;
    private final RpzParser rpzParser;
    private int line;
    private int conditionDepth;

    /** @param isGroup predicate that returns whether a client group with a given name exists */
    RuleParser(RuleSink sink, Predicate<String> isGroup) {
        this.sink = sink;
        this.isGroup = isGroup;
        this.rpzParser = new RpzParser(sink);
    }

    /** Parses the next line. */
    public void line(String rawLine) {
        line++;
        String text = (line == 1 && rawLine.startsWith("\uFEFF") ? rawLine.substring(1) : rawLine).strip();
        if (text.length() > MAX_CHARACTERS) {
            reject(text, "a line of at most " + MAX_CHARACTERS + " characters");
        } else if (text.startsWith("!")) {
            parseComment(text);
        } else if (text.isEmpty() || text.startsWith(";") || (text.startsWith("[") && text.endsWith("]"))) {
            return;
        } else if (text.startsWith("/") || text.startsWith("@@/")) {
            parseUnlessConditional(text, () -> parseExpression(text));
        } else if (text.startsWith("#")) {
            if (isCosmetic(text, 0) && text.length() > 2 && " #\t".indexOf(text.charAt(2)) < 0) {
                sink.onCosmetic();
            }
        } else {
            parseRule(rawLine, stripComment(text));
        }
    }

    private void parseUnlessConditional(String text, Runnable rule) {
        if (conditionDepth > 0) {
            reject(text, "a rule without a condition; this one is inside !#if");
        } else {
            rule.run();
        }
    }

    private void parseComment(String text) {
        if (text.startsWith("!#if")) {
            conditionDepth++;
        } else if (text.startsWith("!#endif")) {
            conditionDepth = Math.max(0, conditionDepth - 1);
        } else if (text.startsWith("!#include")) {
            reject(text, "rules instead of an include; add the included list as a separate list");
        }
    }

    private void parseRule(String rawLine, String text) {
        if (DnsmasqLine.matches(text)) {
            parseUnlessConditional(text, () -> parseDnsmasq(text));
            return;
        }
        if (isHostsLine(text)) {
            parseUnlessConditional(text, () -> parseWords(rawLine, stripHostsComment(text)));
            return;
        }
        int hash = text.indexOf('#');
        if ((hash >= 0 && isCosmetic(text, hash)) || text.contains("$$") || text.contains("$@$")) {
            sink.onCosmetic();
            return;
        }
        parseUnlessConditional(text, () -> {
            if (text.startsWith("@@")) {
                parsePattern(text, text.substring(2), /* isAllowed= */ true);
            } else if (text.startsWith("|") || text.startsWith("*")) {
                if (!rpzParser.parseLine(line, rawLine, text)) {
                    parsePattern(text, text, /* isAllowed= */ false);
                }
            } else {
                parseWords(rawLine, text);
            }
        });
    }

    private void parseDnsmasq(String text) {
        try {
            DnsmasqLine.rules(line, text).forEach(rule -> add(rule));
        } catch (IllegalArgumentException e) {
            reject(text, ErrorText.of(e));
        }
    }

    /** Returns whether a line contains an address followed by names, as in hosts(5). */
    private static boolean isHostsLine(String text) {
        int blank = indexOfBlank(text, 0);
        return blank < text.length() && parseAddress(text.substring(0, blank)) != null;
    }

    /** Removes a comment, which begins at any number sign, as in hosts(5). */
    private static String stripHostsComment(String text) {
        int hash = text.indexOf('#');
        return hash < 0 ? text : text.substring(0, hash).strip();
    }

    /** Removes a comment, which begins at a number sign after a blank. */
    private static String stripComment(String text) {
        for (int at = text.indexOf('#'); at > 0; at = text.indexOf('#', at + 1)) {
            if (Character.isWhitespace(text.charAt(at - 1))) {
                return text.substring(0, at).strip();
            }
        }
        return text;
    }

    /** Returns whether the text has a separator such as {@code ##}, {@code #@#} or {@code #$?#} at this index. */
    private static boolean isCosmetic(String text, int at) {
        int end = at + 1;
        while (end < text.length() && "@?$%".indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        return end < text.length() && text.charAt(end) == '#';
    }

    /** Parses a rule that begins with {@code |} or {@code *}. */
    private void parsePattern(String whole, String rule, boolean isAllowed) {
        int dollar = rule.indexOf('$');
        String body = dollar < 0 ? rule : rule.substring(0, dollar);
        String modifiers = dollar < 0 ? null : rule.substring(dollar + 1);
        if (hasWildcardInside(body)) {
            parseWildcard(whole, body, isAllowed, modifiers);
            return;
        }
        Subject subject = Subject.TREE;
        String name;
        if (body.startsWith("||*.")) {
            subject = Subject.BELOW;
            name = body.substring(4);
        } else if (body.startsWith("||")) {
            name = body.substring(2);
        } else if (body.startsWith("*.")) {
            subject = Subject.BELOW;
            name = body.substring(2);
        } else if (body.startsWith("|") && (body.endsWith("^") || (body.length() > 1 && body.endsWith("|")))) {
            subject = Subject.NAME;
            name = body.substring(1);
        } else {
            reject(whole, "||name^, |name^ or *.name" + (isAllowed ? " after @@" : ""));
            return;
        }
        name = stripEndAnchor(name);
        if (subject == Subject.TREE) {
            String network = parseNetwork(name);
            if (network != null) {
                subject = Subject.NETWORK;
                name = network;
            }
        }
        String parsed = subject == Subject.NETWORK ? name : RuleName.parse(name);
        if (parsed == null) {
            reject(whole, RuleName.EXPECTED_FORM);
            return;
        }
        FilterRule plain = FilterRule.block(line, subject, parsed);
        addWithModifiers(whole, isAllowed ? plain.toAllowRule() : plain, modifiers);
    }

    /** Whether a pattern has a wildcard other than the prefix for all names below a name. */
    private static boolean hasWildcardInside(String body) {
        int begin = body.startsWith("||*.") ? 4 : body.startsWith("*.") ? 2 : 0;
        return body.indexOf('*', begin) >= 0;
    }

    private void parseWildcard(String whole, String body, boolean isAllowed, @Nullable String modifiers) {
        String pattern = body.toLowerCase(Locale.ROOT);
        if (EVERY_NAME.contains(body)) {
            parseEveryName(whole, isAllowed, modifiers);
            return;
        }
        try {
            NamePattern unused = NamePattern.parse(pattern);
        } catch (IllegalArgumentException e) {
            reject(whole, NamePattern.EXPECTED_FORM);
            return;
        }
        FilterRule plain = FilterRule.block(line, Subject.PATTERN, pattern);
        addWithModifiers(whole, isAllowed ? plain.toAllowRule() : plain, modifiers);
    }

    private void parseEveryName(String whole, boolean isAllowed, @Nullable String modifiers) {
        FilterRule plain = FilterRule.block(line, Subject.PATTERN, NamePattern.MATCH_ALL);
        FilterRule rule = isAllowed ? plain.toAllowRule() : plain;
        try {
            FilterRule modified = RuleModifiers.parse(modifiers, isGroup).apply(rule);
            if (modified.condition().isNone()) {
                reject(whole, "a name, or $client or $dnstype after " + NamePattern.MATCH_ALL);
            } else {
                add(modified);
            }
        } catch (IllegalArgumentException e) {
            reject(whole, ErrorText.of(e));
        }
    }

    private static String stripEndAnchor(String pattern) {
        String name = pattern.endsWith("|") ? pattern.substring(0, pattern.length() - 1) : pattern;
        return name.endsWith("^") ? name.substring(0, name.length() - 1) : name;
    }

    private void parseExpression(String text) {
        boolean isAllowed = text.startsWith("@@");
        int start = isAllowed ? 3 : 1;
        int end = text.endsWith("/") ? text.length() - 1 : text.lastIndexOf("/$");
        if (end <= start) {
            reject(text, "an expression between two slashes");
            return;
        }
        String expression = text.substring(start, end);
        try {
            NameExpression unused = NameExpression.compile(expression);
        } catch (IllegalArgumentException e) {
            reject(text, ErrorText.of(e));
            return;
        }
        FilterRule plain = FilterRule.block(line, Subject.EXPRESSION, expression);
        String modifiers = end + 1 == text.length() ? null : text.substring(end + 2);
        addWithModifiers(text, isAllowed ? plain.toAllowRule() : plain, modifiers);
    }

    private void addWithModifiers(String whole, FilterRule rule, @Nullable String modifiers) {
        try {
            add(RuleModifiers.parse(modifiers, isGroup).apply(rule));
        } catch (IllegalArgumentException e) {
            reject(whole, ErrorText.of(e));
        }
    }

    private void add(FilterRule rule) {
        sink.onRule(rule);
        RuleBreadth.describe(rule).ifPresent(about -> sink.onBroad(new BroadRule(line, rule.toString(), about)));
    }

    /** Parses a name, an address with names, a network, or a record of a zone. */
    private void parseWords(String rawLine, String text) {
        int blank = indexOfBlank(text, 0);
        if (blank == text.length()) {
            parseSingleWord(rawLine, stripHostsComment(text));
            return;
        }
        IpAddress address = parseAddress(text.substring(0, blank));
        if (address != null) {
            parseHosts(text, address, blank);
        } else if (!rpzParser.parseLine(line, rawLine, text)) {
            reject(text, "an address before names, one name alone, ||name^, or a record of a response policy zone");
        }
    }

    private void parseSingleWord(String rawLine, String text) {
        String network = parseNetwork(text);
        if (network != null) {
            add(FilterRule.block(line, Subject.NETWORK, network));
            return;
        }
        if (rpzParser.parseLine(line, rawLine, text)) {
            return;
        }
        if (text.indexOf('*') >= 0) {
            int dollar = text.indexOf('$');
            String body = dollar < 0 ? text : text.substring(0, dollar);
            parseWildcard(text, body, /* isAllowed= */ false, dollar < 0 ? null : text.substring(dollar + 1));
            return;
        }
        String name = RuleName.parse(text);
        if (name == null) {
            reject(text, RuleName.EXPECTED_FORM);
        } else if (LOCAL_NAMES.contains(name)) {
            return;
        } else if (name.indexOf('.') < 0) {
            reject(text, "a name with a dot inside; ||" + name + "^ for a whole top-level domain");
        } else {
            sink.onRule(FilterRule.block(line, Subject.NAME, name));
        }
    }

    private void parseHosts(String text, IpAddress address, int firstBlank) {
        boolean isBlocking = isUnspecifiedOrLoopback(address);
        int at = firstBlank;
        while (at < text.length()) {
            int start = at;
            while (start < text.length() && Character.isWhitespace(text.charAt(start))) {
                start++;
            }
            at = indexOfBlank(text, start);
            String word = text.substring(start, at);
            String name = RuleName.parse(word);
            if (LOCAL_NAMES.contains(name == null ? word : name)) {
                continue;
            }
            if (name == null) {
                reject(text, RuleName.EXPECTED_FORM);
            } else {
                FilterRule rule = FilterRule.block(line, Subject.NAME, name);
                sink.onRule(isBlocking ? rule : rule.withAnswer(BlockAnswer.ADDRESS, address));
            }
        }
    }

    private static int indexOfBlank(String text, int from) {
        int at = from;
        while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /**
     * Returns whether an address is unspecified or a loopback address. A line of a hosts file with such an
     * address blocks its names.
     */
    static boolean isUnspecifiedOrLoopback(IpAddress address) {
        if (!address.isIpv4()) {
            return address.high() == 0 && (address.low() == 0 || address.low() == 1);
        }
        int ipv4 = (int) address.low();
        return ipv4 == 0 || ipv4 >>> 24 == 127;
    }

    /** Returns the address without its zone index; null if the text is not an address. */
    private static @Nullable IpAddress parseAddress(String word) {
        int percent = word.indexOf('%');
        String text = percent < 0 ? word : word.substring(0, percent);
        if (!looksLikeAddress(text)) {
            return null;
        }
        try {
            return IpAddress.parse(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns the network in canonical form; null if the text is not a network. */
    private static @Nullable String parseNetwork(String word) {
        if (!looksLikeAddress(word)) {
            return null;
        }
        try {
            return Cidr.parse(word).toString();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Returns false for most texts that are not addresses, so that parsing them does not throw an exception. */
    static boolean looksLikeAddress(String word) {
        if (word.indexOf(':') >= 0) {
            return true;
        }
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c != '.' && c != '/' && (c < '0' || c > '9')) {
                return false;
            }
        }
        return !word.isEmpty();
    }

    private void reject(String text, String expected) {
        sink.onRefused(RefusedLine.of(line, text, expected));
    }
}
