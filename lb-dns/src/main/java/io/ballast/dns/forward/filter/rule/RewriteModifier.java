package io.ballast.dns.forward.filter.rule;

import io.ballast.core.net.IpAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Rcode;

/**
 * The value of {@code $dnsrewrite}. The short form is an address, the name of an alias target, or one of
 * NOERROR, NXDOMAIN and REFUSED. The long form is {@code RCODE;TYPE;VALUE} with A, AAAA or CNAME, or {@code
 * RCODE;;}.
 */
final class RewriteModifier {

    static final String EXPECTED_FORM =
            "$dnsrewrite= with an address, a name, NOERROR, NXDOMAIN or REFUSED, or with NOERROR;A;ADDRESS,"
                    + " NOERROR;AAAA;ADDRESS or NOERROR;CNAME;NAME, in a rule that blocks names";

    private RewriteModifier() {}

    /**
     * Returns a copy of {@code rule} with the answer that the modifier's value specifies.
     *
     * @throws IllegalArgumentException if the value is malformed; the message is the expected form
     */
    static FilterRule apply(String value, FilterRule rule) {
        String[] parts = value.split(";", -1);
        if (parts.length == 1) {
            return applyShortForm(parts[0], rule);
        }
        if (parts.length != 3) {
            throw new IllegalArgumentException(EXPECTED_FORM);
        }
        if (parts[1].isEmpty() && parts[2].isEmpty()) {
            return withCode(rule, parseCode(parts[0]));
        }
        if (!parts[0].equalsIgnoreCase("NOERROR")) {
            throw new IllegalArgumentException(EXPECTED_FORM);
        }
        return switch (parts[1].toUpperCase(Locale.ROOT)) {
            case "A" -> withAddress(rule, parseAddress(parts[2]), /* isIpv4= */ true);
            case "AAAA" -> withAddress(rule, parseAddress(parts[2]), /* isIpv4= */ false);
            case "CNAME" -> withAlias(rule, parts[2]);
            default -> throw new IllegalArgumentException(EXPECTED_FORM);
        };
    }

    private static FilterRule applyShortForm(String value, FilterRule rule) {
        BlockAnswer code = parseCode(value);
        if (code != null) {
            return withCode(rule, code);
        }
        IpAddress address = RuleParser.looksLikeAddress(value) ? parseAddress(value) : null;
        return address == null ? withAlias(rule, value) : withAddress(rule, address, address.isIpv4());
    }

    private static @Nullable BlockAnswer parseCode(String word) {
        return switch (word.toUpperCase(Locale.ROOT)) {
            case "NOERROR" -> BlockAnswer.NODATA;
            case "NXDOMAIN" -> BlockAnswer.NXDOMAIN;
            case "REFUSED" -> BlockAnswer.REFUSED;
            default -> null;
        };
    }

    private static FilterRule withCode(FilterRule rule, @Nullable BlockAnswer code) {
        if (code == null) {
            throw new IllegalArgumentException(EXPECTED_FORM);
        }
        return rule.withAnswer(code, /* newAddress= */ null);
    }

    private static @Nullable IpAddress parseAddress(String value) {
        try {
            return IpAddress.parse(value);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static FilterRule withAddress(FilterRule rule, @Nullable IpAddress address, boolean isIpv4) {
        if (address == null || address.isIpv4() != isIpv4) {
            throw new IllegalArgumentException(EXPECTED_FORM);
        }
        return rule.withAnswer(BlockAnswer.ADDRESS, address);
    }

    private static FilterRule withAlias(FilterRule rule, String value) {
        String target = RuleName.parse(value);
        boolean isOtherCode = Rcode.value(value) >= 0; // other response codes, such as SERVFAIL, are not alias targets
        if (target == null || isOtherCode) {
            throw new IllegalArgumentException(EXPECTED_FORM);
        }
        return rule.withAlias(target);
    }
}
