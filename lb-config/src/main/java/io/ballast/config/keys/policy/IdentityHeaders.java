package io.ballast.config.keys.policy;

import io.ballast.config.key.Type;
import io.ballast.config.keys.common.HeaderNames;
import io.ballast.config.keys.common.HttpTexts;

/** The headers in which backends receive the authenticated identity of a client. */
final class IdentityHeaders {

    /** The name of a header that policies may set. */
    static final Type<String> NAME = HttpTexts.TOKEN.map(HeaderNames::changeable, name -> name);

    private IdentityHeaders() {}
}
