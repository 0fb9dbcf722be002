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
 * Turns the lines of a list into rules. Every style may stand in every list:
 *
 * <table> <caption>What a line means</caption> <tr><td>{@code ||name^}, {@code ||name}</td><td>the name and all below
 * it</td></tr> <tr><td>{@code |name^}, {@code |name|}</td><td>the name alone</td></tr> <tr><td>{@code *.name},
 * {@code ||*.name^}</td><td>all names below the name</td></tr> <tr><td>{@code name}</td><td>the name alone, as AdGuard
 * Home, Pi-hole and Blocky have it; with a dot inside</td></tr> <tr><td>{@code 0.0.0.0 name name}</td><td>these names
 * alone; so for {@code ::} and every loopback address</td></tr> <tr><td>{@code 192.0.2.1 name}</td><td>the name alone,
 * answered with that address</td></tr> <tr><td>{@code /expression/}</td><td>names in which the expression is
 * found</td></tr> <tr><td>{@code 192.0.2.1}, {@code 192.0.2.0/24}, {@code ||192.0.2.1^}</td><td>answers with such an
 * address</td></tr> <tr><td>{@code name CNAME .} and the like</td><td>a response policy zone:
 * {@link RpzParser}</td></tr> <tr><td>{@code @@} before {@code |}, {@code *.} or {@code /}</td><td>allows
 * instead</td></tr> <tr><td>{@code ||ads-*.example.*^}</td><td>a pattern: {@link NamePattern}</td></tr>
 * <tr><td>{@code address=/name/}, {@code local=/name/}, {@code server=/name/}</td><td>dnsmasq:
 * {@link DnsmasqLine}</td></tr> <tr><td>{@code $important}, {@code $badfilter}, {@code $denyallow}, {@code $client},
 * {@code $dnstype}, {@code $dnsrewrite}</td> <td>as in AdGuard Home: {@link RuleModifiers}</td></tr>
 * <tr><td>{@code *$dnstype=HTTPS}, {@code ||*^$client=192.0.2.1}</td><td>every name</td></tr> <tr><td>{@code #},
 * {@code !}, {@code ;}, {@code [...]}</td><td>a comment; {@code #} also behind a name</td></tr> </table>
 *
 * <p>Everything else is refused: a modifier that is not known, a pattern without {@code *} that begins or ends within a
 * label, a path, and the lines between {@code !#if} and {@code !#endif}. A rule that is half understood would block
 * more than was meant.
 *
 * <p>Thread safety: confined to one thread, which uses it for one list.
 */
public final class RuleParser {

    static final int MAX_CHARACTERS = 2048;

    /** Patterns that are found in every name. */
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
    private final RpzParser zone;
    private int line;
    private int conditions;

    /** @param isGroup whether there is a client group of that name */
    RuleParser(RuleSink sink, Predicate<String> isGroup) {
        this.sink = sink;
        this.isGroup = isGroup;
        this.zone = new RpzParser(sink);
    }

    /** Takes the next line. */
    public void line(String read) {
        line++;
        String text = (line == 1 && read.startsWith("\uFEFF") ? read.substring(1) : read).strip();
        if (text.length() > MAX_CHARACTERS) {
            refuse(text, "a line of at most " + MAX_CHARACTERS + " characters");
        } else if (text.startsWith("!")) {
            comment(text);
        } else if (text.isEmpty() || text.startsWith(";") || (text.startsWith("[") && text.endsWith("]"))) {
            return;
        } else if (text.startsWith("/") || text.startsWith("@@/")) {
            condition(text, () -> expression(text));
        } else if (text.startsWith("#")) {
            if (isCosmetic(text, 0) && text.length() > 2 && " #\t".indexOf(text.charAt(2)) < 0) {
                sink.cosmetic();
            }
        } else {
            rule(read, withoutComment(text));
        }
    }

    private void condition(String text, Runnable rule) {
        if (conditions > 0) {
            refuse(text, "a rule without a condition; this one stands behind !#if");
        } else {
            rule.run();
        }
    }

    private void comment(String text) {
        if (text.startsWith("!#if")) {
            conditions++;
        } else if (text.startsWith("!#endif")) {
            conditions = Math.max(0, conditions - 1);
        } else if (text.startsWith("!#include")) {
            refuse(text, "the rules themselves; add the included list as one of its own");
        }
    }

    private void rule(String read, String text) {
        if (DnsmasqLine.is(text)) {
            condition(text, () -> dnsmasq(text));
            return;
        }
        if (isOfHosts(text)) {
            condition(text, () -> words(read, withoutAnyComment(text)));
            return;
        }
        int hash = text.indexOf('#');
        if ((hash >= 0 && isCosmetic(text, hash)) || text.contains("$$") || text.contains("$@$")) {
            sink.cosmetic();
            return;
        }
        condition(text, () -> {
            if (text.startsWith("@@")) {
                pattern(text, text.substring(2), /* isAllowed= */ true);
            } else if (text.startsWith("|") || text.startsWith("*")) {
                if (!zone.line(line, read, text)) {
                    pattern(text, text, /* isAllowed= */ false);
                }
            } else {
                words(read, text);
            }
        });
    }

    private void dnsmasq(String text) {
        try {
            DnsmasqLine.rules(line, text).forEach(rule -> add(rule));
        } catch (IllegalArgumentException e) {
            refuse(text, ErrorText.of(e));
        }
    }

    /** Returns whether names follow an address. */
    private static boolean isOfHosts(String text) {
        int blank = blank(text, 0);
        return blank < text.length() && address(text.substring(0, blank)) != null;
    }

    /** Removes a comment, which begins at any number sign, as in hosts(5). */
    private static String withoutAnyComment(String text) {
        int hash = text.indexOf('#');
        return hash < 0 ? text : text.substring(0, hash).strip();
    }

    /** Removes a comment, which begins at a number sign after a blank. */
    private static String withoutComment(String text) {
        for (int at = text.indexOf('#'); at > 0; at = text.indexOf('#', at + 1)) {
            if (Character.isWhitespace(text.charAt(at - 1))) {
                return text.substring(0, at).strip();
            }
        }
        return text;
    }

    /** Returns whether a separator such as {@code ##}, {@code #@#} or {@code #$?#} is there. */
    private static boolean isCosmetic(String text, int at) {
        int end = at + 1;
        while (end < text.length() && "@?$%".indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        return end < text.length() && text.charAt(end) == '#';
    }

    /** Parses a rule that begins with {@code |} or {@code *}. */
    private void pattern(String whole, String rule, boolean isAllowed) {
        int dollar = rule.indexOf('$');
        String body = dollar < 0 ? rule : rule.substring(0, dollar);
        String modifiers = dollar < 0 ? null : rule.substring(dollar + 1);
        if (hasWildcardInside(body)) {
            wildcard(whole, body, isAllowed, modifiers);
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
            refuse(whole, "||name^, |name^ or *.name" + (isAllowed ? " behind @@" : ""));
            return;
        }
        name = withoutEnd(name);
        if (subject == Subject.TREE) {
            String network = network(name);
            if (network != null) {
                subject = Subject.NETWORK;
                name = network;
            }
        }
        String parsed = subject == Subject.NETWORK ? name : RuleName.parse(name);
        if (parsed == null) {
            refuse(whole, RuleName.EXPECTED);
            return;
        }
        FilterRule plain = FilterRule.block(line, subject, parsed);
        modified(whole, isAllowed ? plain.allowing() : plain, modifiers);
    }

    /** Whether a pattern has a wildcard other than that for all names below a name. */
    private static boolean hasWildcardInside(String body) {
        int begin = body.startsWith("||*.") ? 4 : body.startsWith("*.") ? 2 : 0;
        return body.indexOf('*', begin) >= 0;
    }

    private void wildcard(String whole, String body, boolean isAllowed, @Nullable String modifiers) {
        String pattern = body.toLowerCase(Locale.ROOT);
        if (EVERY_NAME.contains(body)) {
            everyName(whole, isAllowed, modifiers);
            return;
        }
        try {
            NamePattern unused = NamePattern.parse(pattern);
        } catch (IllegalArgumentException e) {
            refuse(whole, NamePattern.EXPECTED);
            return;
        }
        FilterRule plain = FilterRule.block(line, Subject.PATTERN, pattern);
        modified(whole, isAllowed ? plain.allowing() : plain, modifiers);
    }

    private void everyName(String whole, boolean isAllowed, @Nullable String modifiers) {
        FilterRule plain = FilterRule.block(line, Subject.PATTERN, NamePattern.EVERY);
        FilterRule rule = isAllowed ? plain.allowing() : plain;
        try {
            FilterRule modified = RuleModifiers.parse(modifiers, isGroup).apply(rule);
            if (modified.condition().isNone()) {
                refuse(whole, "a name, or $client or $dnstype behind " + NamePattern.EVERY);
            } else {
                add(modified);
            }
        } catch (IllegalArgumentException e) {
            refuse(whole, ErrorText.of(e));
        }
    }

    private static String withoutEnd(String pattern) {
        String name = pattern.endsWith("|") ? pattern.substring(0, pattern.length() - 1) : pattern;
        return name.endsWith("^") ? name.substring(0, name.length() - 1) : name;
    }

    private void expression(String text) {
        boolean isAllowed = text.startsWith("@@");
        int start = isAllowed ? 3 : 1;
        int end = text.endsWith("/") ? text.length() - 1 : text.lastIndexOf("/$");
        if (end <= start) {
            refuse(text, "an expression between two slashes");
            return;
        }
        String expression = text.substring(start, end);
        try {
            NameExpression unused = NameExpression.compile(expression);
        } catch (IllegalArgumentException e) {
            refuse(text, ErrorText.of(e));
            return;
        }
        FilterRule plain = FilterRule.block(line, Subject.EXPRESSION, expression);
        String modifiers = end + 1 == text.length() ? null : text.substring(end + 2);
        modified(text, isAllowed ? plain.allowing() : plain, modifiers);
    }

    private void modified(String whole, FilterRule rule, @Nullable String modifiers) {
        try {
            add(RuleModifiers.parse(modifiers, isGroup).apply(rule));
        } catch (IllegalArgumentException e) {
            refuse(whole, ErrorText.of(e));
        }
    }

    private void add(FilterRule rule) {
        sink.rule(rule);
        RuleBreadth.of(rule).ifPresent(about -> sink.broad(new BroadRule(line, rule.toString(), about)));
    }

    /** A name, an address with names, a network, or a record of a zone. */
    private void words(String read, String text) {
        int blank = blank(text, 0);
        if (blank == text.length()) {
            single(read, withoutAnyComment(text));
            return;
        }
        IpAddress address = address(text.substring(0, blank));
        if (address != null) {
            hosts(text, address, blank);
        } else if (!zone.line(line, read, text)) {
            refuse(text, "an address before names, one name alone, ||name^, or a record of a response policy zone");
        }
    }

    private void single(String read, String text) {
        String network = network(text);
        if (network != null) {
            add(FilterRule.block(line, Subject.NETWORK, network));
            return;
        }
        if (zone.line(line, read, text)) {
            return;
        }
        if (text.indexOf('*') >= 0) {
            int dollar = text.indexOf('$');
            String body = dollar < 0 ? text : text.substring(0, dollar);
            wildcard(text, body, /* isAllowed= */ false, dollar < 0 ? null : text.substring(dollar + 1));
            return;
        }
        String name = RuleName.parse(text);
        if (name == null) {
            refuse(text, RuleName.EXPECTED);
        } else if (LOCAL_NAMES.contains(name)) {
            return;
        } else if (name.indexOf('.') < 0) {
            refuse(text, "a name with a dot inside; ||" + name + "^ for a whole top level");
        } else {
            sink.rule(FilterRule.block(line, Subject.NAME, name));
        }
    }

    private void hosts(String text, IpAddress address, int firstBlank) {
        boolean isBlocking = isNowhere(address);
        int at = firstBlank;
        while (at < text.length()) {
            int start = at;
            while (start < text.length() && Character.isWhitespace(text.charAt(start))) {
                start++;
            }
            at = blank(text, start);
            String word = text.substring(start, at);
            String name = RuleName.parse(word);
            if (LOCAL_NAMES.contains(name == null ? word : name)) {
                continue;
            }
            if (name == null) {
                refuse(text, RuleName.EXPECTED);
            } else {
                FilterRule rule = FilterRule.block(line, Subject.NAME, name);
                sink.rule(isBlocking ? rule : rule.answering(BlockAnswer.ADDRESS, address));
            }
        }
    }

    private static int blank(String text, int from) {
        int at = from;
        while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        return at;
    }

    /** Whether an address leads nowhere else: unspecified or loopback. */
    static boolean isNowhere(IpAddress address) {
        if (!address.isIpv4()) {
            return address.high() == 0 && (address.low() == 0 || address.low() == 1);
        }
        int ipv4 = (int) address.low();
        return ipv4 == 0 || ipv4 >>> 24 == 127;
    }

    /** The address, without a zone; null if it is none. */
    private static @Nullable IpAddress address(String word) {
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

    /** The network, written in full; null if it is none. */
    private static @Nullable String network(String word) {
        if (!looksLikeAddress(word)) {
            return null;
        }
        try {
            return Cidr.parse(word).toString();
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** Avoids an exception for texts that are no address. */
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

    private void refuse(String text, String expected) {
        sink.refused(RefusedLine.of(line, text, expected));
    }
}
