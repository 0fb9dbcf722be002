package io.ballast.acme.order;

import io.ballast.core.Checks;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The reasons to revoke a certificate that certificate authorities accept from its owner (<a
 * href="https://datatracker.ietf.org/doc/html/rfc5280#section-5.3.1">RFC 5280 section 5.3.1</a>).
 */
public enum RevocationCode {
    UNSPECIFIED,
    /** An attacker may have the private key. */
    KEY_COMPROMISE,
    /** Another certificate replaces it. */
    SUPERSEDED,
    /** The owner does not use the name any more. */
    CESSATION_OF_OPERATION;

    /** The names of all reasons, in the API and on the command line. */
    public static final List<String> LABELS =
            Arrays.stream(values()).map(RevocationCode::label).toList();

    /** The name in the API and on the command line, such as {@code key-compromise}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the reason with the name. Throws {@link IllegalArgumentException} if there is none. */
    public static RevocationCode of(String label) {
        int index = LABELS.indexOf(label);
        Checks.that(index >= 0, "reason", label, "one of " + LABELS);
        return values()[index];
    }
}
