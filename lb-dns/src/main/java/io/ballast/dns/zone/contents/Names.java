package io.ballast.dns.zone.contents;

import org.xbill.DNS.Name;
import org.xbill.DNS.NameTooLongException;
import org.xbill.DNS.TextParseException;

/** Converts names from the notation of the configuration. Any thread may call any method. */
public final class Names {

    /** The number of bytes of a wildcard's first label in wire format, including its length byte. */
    public static final int WILDCARD_BYTES = 2;

    private static final String APEX = "@";
    private static final Name WILDCARD = Name.fromConstantString("*");

    private Names() {}

    /** Returns an absolute name, whether or not the text ends with a dot. */
    public static Name absolute(String text) {
        return parse(text, Name.root);
    }

    /**
     * Returns the name of a service: {@code @} stands for the zone apex; other names are relative to the
     * zone.
     */
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

    /** Returns the wildcard directly below a name; empty if the wildcard would be too long. */
    public static Name wildcard(Name name) {
        try {
            return Name.concatenate(WILDCARD, name);
        } catch (NameTooLongException e) {
            throw new IllegalArgumentException(
                    "name: " + name + " (expected: a shorter name, with room for one more label)", e);
        }
    }

    /** The name without its first label; {@code name} is not the root. */
    public static Name parent(Name name) {
        return new Name(name, 1);
    }
}
