package io.ballast.dns.zone.contents;

import org.xbill.DNS.Name;
import org.xbill.DNS.NameTooLongException;
import org.xbill.DNS.TextParseException;

/** Names as the configuration writes them. Any thread may call. */
public final class Names {

    /** The length of the first label of a wildcard in wire format. */
    public static final int WILDCARD_BYTES = 2;

    private static final String APEX = "@";
    private static final Name WILDCARD = Name.fromConstantString("*");

    private Names() {}

    /** A name that is absolute whether or not it ends with a dot. */
    public static Name absolute(String text) {
        return parse(text, Name.root);
    }

    /** The name of a service: {@code @} for the zone's own, else relative to the zone. */
    public static Name serviceName(String text, Name apex) {
        return text.equals(APEX) ? apex : parse(text, apex);
    }

    private static Name parse(String text, Name origin) {
        try {
            return Name.fromString(text, origin).canonicalize();
        } catch (TextParseException e) {
            throw new IllegalArgumentException("name: '" + text + "' (expected: a domain name)", e);
        }
    }

    /** The wildcard below a name, if it is short enough. */
    public static Name wildcard(Name name) {
        try {
            return Name.concatenate(WILDCARD, name);
        } catch (NameTooLongException e) {
            throw new IllegalArgumentException("name: " + name + " (expected: room for one more label)", e);
        }
    }

    /** The name without its first label; {@code name} is not the root. */
    public static Name parent(Name name) {
        return new Name(name, 1);
    }
}
