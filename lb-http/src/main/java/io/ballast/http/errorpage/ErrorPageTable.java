package io.ballast.http.errorpage;

import io.ballast.core.config.errorpage.ErrorPage;
import io.ballast.core.config.errorpage.ErrorPages;
import io.ballast.core.config.errorpage.ErrorStatuses;
import io.ballast.core.config.errorpage.PageFile;
import io.ballast.core.config.errorpage.PageFormat;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The error pages that apply to the requests of a route. Pages are configured for pools, routes and listeners. For each
 * format, a page of the pool takes precedence over a page of the route, which takes precedence over a page of the
 * listener. At the same level, the page for the most specific status applies. Immutable.
 */
public final class ErrorPageTable {

    private record Row(ErrorStatuses statuses, ErrorPage page) {}

    /**
     * The page of one response.
     *
     * @param status the status to send
     */
    public record Selection(PageFile file, PageFormat format, int status) {}

    private static final PageFormat[] FORMATS = PageFormat.values();

    /** The pages, the most specific first. */
    private final List<Row> rows;

    private final List<ErrorStatuses> intercept;

    private ErrorPageTable(List<Row> rows, List<ErrorStatuses> intercept) {
        this.rows = rows;
        this.intercept = intercept;
    }

    /**
     * Compiles the error pages of several levels, the most specific level first.
     *
     * @return null if there are none
     */
    public static @Nullable ErrorPageTable of(ErrorPages... places) {
        List<Row> rows = new ArrayList<>();
        @Nullable List<ErrorStatuses> intercept = null;
        boolean isEmpty = true;
        for (ErrorPages place : places) {
            isEmpty &= place.isEmpty();
            place.pages().entrySet().stream()
                    .sorted(Comparator.comparingInt((Map.Entry<ErrorStatuses, ErrorPage> entry) ->
                            entry.getKey().size()))
                    .forEach(entry -> rows.add(new Row(entry.getKey(), entry.getValue())));
            if (intercept == null) {
                intercept = place.intercept().orElse(null);
            }
        }
        return isEmpty ? null : new ErrorPageTable(rows, intercept == null ? List.of() : intercept);
    }

    /** Whether a response of a backend with this status is replaced by an error page. */
    public boolean intercepts(int status) {
        for (ErrorStatuses statuses : intercept) {
            if (statuses.contains(status)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Selects the page for a status. A client that names formats gets one of these formats; a client that names no
     * format gets the first of HTML, text and JSON that has a page.
     *
     * @return null if no page fits
     */
    public @Nullable Selection select(int status, AcceptedFormats accepted) {
        if (!accepted.named().isEmpty()) {
            for (PageFormat format : accepted.named()) {
                Selection found = select(status, format);
                if (found != null) {
                    return found;
                }
            }
            return null;
        }
        for (PageFormat format : FORMATS) {
            Selection found = select(status, format);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private @Nullable Selection select(int status, PageFormat format) {
        for (Row row : rows) {
            PageFile file = row.page().files().get(format);
            if (file != null && row.statuses().contains(status)) {
                return new Selection(file, format, row.page().status().orElse(status));
            }
        }
        return null;
    }
}
