package io.ballast.config.keys.common;

import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;
import io.ballast.core.Checks;
import java.util.Locale;

/** Types of domain names. Names are converted to lower case, and a trailing dot is removed. */
public final class DnsTexts {

    private static final String LABEL = "[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?";

    /** A label that may also be an asterisk or contain slashes, as in RFC 2317 (classless reverse zones). */
    private static final String WIDER_LABEL = "(\\*|[A-Za-z0-9_]([A-Za-z0-9_/-]{0,61}[A-Za-z0-9_])?)";

    private static final String WIDER_NAME = WIDER_LABEL + "(\\." + WIDER_LABEL + ")*\\.?";
    private static final String NAME = LABEL + "(\\." + LABEL + ")*";

    /** An absolute domain name, with or without the trailing dot. */
    public static final Type<String> ABSOLUTE = Scalars.matching(
                    "domain name", "an absolute domain name such as gslb.example.com", WIDER_NAME)
            .map(DnsTexts::canonical, name -> name);

    /** A mail address written as a domain name. */
    public static final Type<String> CONTACT = Scalars.matching(
                    "mail address as a domain name",
                    "a mail address with a dot instead of the @, such as hostmaster.example.com",
                    WIDER_NAME)
            .map(DnsTexts::canonical, name -> name);

    /** A name below its zone, {@code @} for the zone itself, or a wildcard. */
    public static final Type<String> SERVICE = Scalars.matching(
                    "relative domain name",
                    "a name relative to its zone such as app, @ for the zone, or a wildcard such as *.shop",
                    "@|\\*|(\\*\\.)?" + NAME)
            .map(DnsTexts::canonical, name -> name);

    /** The identifier of the server (NSID). */
    public static final Type<String> NSID = Scalars.matchingOrNumber(
            "name of a server", "1 to 100 characters of printable ASCII", "[!-~]([ -~]{0,98}[!-~])?");

    private static final int LONGEST = 253;

    private DnsTexts() {}

    private static String canonical(String name) {
        Checks.that(name.length() <= LONGEST, "name", name, "at most " + LONGEST + " characters");
        String lower = name.toLowerCase(Locale.ROOT);
        return lower.endsWith(".") ? lower.substring(0, lower.length() - 1) : lower;
    }
}
