package io.ballast.http.header;

import io.ballast.core.config.header.HeaderVariable;
import io.ballast.http.bytes.ByteAppender;

/** Supplies the values of header variables for one exchange. Event-loop confined. */
public interface HeaderVariables {

    /** Appends the variable's value, which contains no control character. */
    void append(HeaderVariable variable, ByteAppender target);
}
