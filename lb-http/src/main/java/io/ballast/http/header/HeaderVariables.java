package io.ballast.http.header;

import io.ballast.core.config.header.HeaderVariable;
import io.ballast.http.bytes.ByteAppender;
import org.jspecify.annotations.Nullable;

/** Supplies the values of header variables for one exchange. Event-loop confined. */
public interface HeaderVariables {

    /** Appends the variable's value, which contains no control character. */
    void append(HeaderVariable variable, ByteAppender target);

    /**
     * The header lines that are added to a response if it has no line of the same name. Each line includes its line
     * end. Null for no lines.
     */
    default @Nullable ByteAppender defaultLines() {
        return null;
    }
}
