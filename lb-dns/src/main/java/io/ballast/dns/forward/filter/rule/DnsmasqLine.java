package io.ballast.dns.forward.filter.rule;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.filter.rule.FilterRule.Subject;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A line of a dnsmasq configuration that applies to names, each with all names below it:
 *
 * <ul>
 *   <li>{@code address=/name/}, {@code address=/name/#}, and {@code address=/name/0.0.0.0} or another
 *   unspecified or loopback address: blocks the names;
 *   <li>{@code address=/name/192.0.2.1}: answers with that address;
 *   <li>{@code local=/name/} and {@code server=/name/}: blocks the names, since no server knows them;
 *   <li>{@code server=/name/#}: allows the names, which are sent to the usual servers.
 * </ul>
 */
final class DnsmasqLine {

    private static final String EXPECTED_FORM =
            "address=/NAME/ADDRESS, address=/NAME/, local=/NAME/, server=/NAME/ or server=/NAME/#; servers belong in `routes`";
    private static final String DEFAULT_SERVERS = "#";

    private DnsmasqLine() {}

    static boolean matches(String text) {
        return text.startsWith("address=") || text.startsWith("server=") || text.startsWith("local=");
    }

    /**
     * Returns the rules of a line.
     *
     * @throws IllegalArgumentException if the line is invalid; the message describes the expected form
     */
    static List<FilterRule> rules(int line, String text) {
        int equals = text.indexOf('=');
        int last = text.lastIndexOf('/');
        String option = text.substring(0, equals);
        if (last <= equals + 1 || text.charAt(equals + 1) != '/') {
            throw new IllegalArgumentException(EXPECTED_FORM);
        }
        String value = text.substring(last + 1).strip();
        List<FilterRule> rules = new ArrayList<>();
        for (String name : text.substring(equals + 2, last).split("/", -1)) {
            String parsed = RuleName.parse(name.startsWith(".") ? name.substring(1) : name);
            if (parsed == null) {
                throw new IllegalArgumentException(RuleName.EXPECTED_FORM);
            }
            rules.add(applyOption(FilterRule.block(line, Subject.TREE, parsed), option, value));
        }
        return rules;
    }

    private static FilterRule applyOption(FilterRule rule, String option, String value) {
        boolean isAddress = option.equals("address");
        if (value.isEmpty() || (isAddress && value.equals(DEFAULT_SERVERS))) {
            return rule;
        }
        if (option.equals("server") && value.equals(DEFAULT_SERVERS)) {
            return rule.toAllowRule();
        }
        IpAddress address = isAddress ? parseAddress(value) : null;
        if (address == null) {
            throw new IllegalArgumentException(EXPECTED_FORM);
        }
        return RuleParser.isUnspecifiedOrLoopback(address) ? rule : rule.withAnswer(BlockAnswer.ADDRESS, address);
    }

    private static @Nullable IpAddress parseAddress(String value) {
        try {
            return IpAddress.parse(value);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
