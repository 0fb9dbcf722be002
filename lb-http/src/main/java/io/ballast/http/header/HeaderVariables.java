package io.ballast.http.header;

import io.ballast.core.config.header.HeaderVariable;
import io.ballast.http.octets.OctetBuffer;

/** Knows what variables stand for in one exchange. Event-loop confined. */
public interface HeaderVariables {

    /** Appends the variable's value, which holds no control character. */
    void append(HeaderVariable variable, OctetBuffer target);
}
