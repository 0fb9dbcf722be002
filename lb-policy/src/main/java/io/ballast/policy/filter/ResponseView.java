package io.ballast.policy.filter;

import io.ballast.filter.FilterHeader;
import io.ballast.filter.FilterHeaders;
import io.ballast.filter.FilterResponse;
import io.ballast.http.head.ResponseScanner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A copy of the head of a response for a filter. */
record ResponseView(int status, FilterHeaders headers) implements FilterResponse {

    static ResponseView of(ResponseScanner head) {
        List<FilterHeader> lines = new ArrayList<>();
        for (int line = 0; line < head.count; line++) {
            lines.add(new FilterHeader(
                    text(head.bytes, head.lineStart[line], head.nameEnd[line]),
                    text(head.bytes, head.valueStart[line], head.valueEnd[line])));
        }
        return new ResponseView(head.status(), new FilterHeaders(lines));
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
