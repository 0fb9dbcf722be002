package io.ballast.dashboard;

import io.ballast.core.Checks;
import io.ballast.core.ErrorText;
import io.ballast.dashboard.server.HttpProblem;
import io.ballast.dashboard.server.Request;
import java.util.List;
import java.util.Optional;

/** Reads query parameters. */
final class QueryParameters {

    private QueryParameters() {}

    /** Returns a value; empty if it is missing or empty. Throws {@link HttpProblem} 400 for several values. */
    static Optional<String> text(Request request, String name) {
        return value(request, name).filter(text -> !text.isEmpty());
    }

    /** Like {@link #text}, but returns an empty value as present. */
    static Optional<String> value(Request request, String name) {
        List<String> values = request.query().getOrDefault(name, List.of());
        if (values.size() > 1) {
            throw HttpProblem.badRequest(name + ": " + values.size() + " values (expected: one)");
        }
        return values.stream().findFirst();
    }

    /** Returns a number; throws {@link HttpProblem} 400 if it is malformed or out of bounds. */
    static int number(Request request, String name, int otherwise, int min, int max) {
        Optional<String> text = text(request, name);
        try {
            return text.isEmpty() ? otherwise : Checks.between(Integer.parseInt(text.get()), min, max, name);
        } catch (NumberFormatException e) {
            throw HttpProblem.badRequest(name + ": " + text.get() + " (expected: a number)");
        } catch (IllegalArgumentException e) {
            throw HttpProblem.badRequest(ErrorText.of(e));
        }
    }
}
