package io.ballast.policy.filter;

import io.ballast.filter.HeaderEdits;
import io.ballast.filter.HeaderEdits.Edit;
import io.ballast.filter.HeaderEdits.Kind;
import io.ballast.http.head.ByteClasses;
import io.ballast.http.policy.PolicyExchange;
import io.ballast.http.transform.ResponseEdit;
import java.util.Locale;

/** Applies the changes of a filter. */
final class AppliedEdits {

    private AppliedEdits() {}

    /**
     * Changes the request for the backend. Lines that earlier policies have added are changed like the client's lines.
     */
    static void toRequest(HeaderEdits edits, PolicyExchange exchange) {
        for (Edit edit : edits.edits()) {
            if (edit.kind() != Kind.APPEND) {
                byte[] name = withHyphens(edit);
                exchange.removeRequestHeader(name);
                HeaderLineEditor.remove(exchange.requestLines(), name);
            }
            if (edit.kind() != Kind.REMOVE) {
                HeaderLineEditor.append(exchange.requestLines(), edit.name(), edit.value());
            }
        }
    }

    /** Changes the backend's response before the client receives it. */
    static void toResponse(HeaderEdits edits, ResponseEdit response) {
        for (Edit edit : edits.edits()) {
            if (edit.kind() != Kind.APPEND) {
                remove(edit, response);
            }
            if (edit.kind() != Kind.REMOVE) {
                HeaderLineEditor.append(response.addedLines(), edit.name(), edit.value());
            }
        }
    }

    private static void remove(Edit edit, ResponseEdit response) {
        byte[] name = ByteClasses.ascii(edit.name().toLowerCase(Locale.ROOT));
        int line = response.line(name, 0);
        while (line >= 0) {
            response.remove(line);
            line = response.line(name, line + 1);
        }
        HeaderLineEditor.remove(response.addedLines(), withHyphens(edit));
    }

    private static byte[] withHyphens(Edit edit) {
        return ByteClasses.ascii(edit.name().toLowerCase(Locale.ROOT).replace('_', '-'));
    }
}
