package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.dashboard.server.Problem;
import io.ballast.dashboard.server.Request;
import java.util.List;
import java.util.Optional;

/** What a request asks for behind the question mark of its path. */
final class QueryParameters {

    private QueryParameters() {}

    /** The value of that name; empty if there is none, or an empty one. Throws {@link Problem} 400 for several values. */
    static Optional<String> text(Request request, String name) {
        return value(request, name).filter(text -> !text.isEmpty());
    }

    /** The same, but an empty value is one. */
    static Optional<String> value(Request request, String name) {
        List<String> values = request.query().getOrDefault(name, List.of());
        if (values.size() > 1) {
            throw Problem.badRequest(name + ": " + values.size() + " values (expected: one)");
        }
        return values.stream().findFirst();
    }

    /** A number; throws {@link Problem} 400 for what is none, or out of bounds. */
    static int number(Request request, String name, int otherwise, int min, int max) {
        Optional<String> text = text(request, name);
        try {
            return text.isEmpty() ? otherwise : Checks.between(Integer.parseInt(text.get()), min, max, name);
        } catch (NumberFormatException e) {
            throw Problem.badRequest(name + ": " + text.get() + " (expected: a number)");
        } catch (IllegalArgumentException e) {
            throw Problem.badRequest(ErrorText.of(e));
        }
    }
}
