package io.ballast.http.testing;

import io.ballast.core.config.errorpage.ErrorPage;
import io.ballast.core.config.errorpage.ErrorPages;
import io.ballast.core.config.errorpage.ErrorStatuses;
import io.ballast.core.config.errorpage.PageFile;
import io.ballast.core.config.errorpage.PageFormat;
import io.ballast.core.config.errorpage.PageTemplate;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builds error pages without files. */
public final class TestErrorPages {

    private final Map<ErrorStatuses, ErrorPage> pages = new LinkedHashMap<>();
    private Optional<List<ErrorStatuses>> intercept = Optional.empty();

    /** Adds a page whose content is the name of its file. */
    public TestErrorPages page(String statuses, String file) {
        return page(statuses, file, file, Optional.empty());
    }

    /** Adds a page that is sent with another status. */
    public TestErrorPages page(String statuses, String file, int status) {
        return page(statuses, file, file, Optional.of(status));
    }

    /** Adds a page. */
    public TestErrorPages page(String statuses, String file, String content) {
        return page(statuses, file, content, Optional.empty());
    }

    private TestErrorPages page(String word, String file, String content, Optional<Integer> status) {
        ErrorStatuses statuses = ErrorStatuses.parse(word);
        Map<PageFormat, PageFile> files = new EnumMap<>(PageFormat.class);
        ErrorPage before = pages.get(statuses);
        if (before != null) {
            files.putAll(before.files());
        }
        files.put(PageFormat.of(file), new PageFile(Path.of(file), new PageTemplate(content)));
        pages.put(statuses, new ErrorPage(files, status));
        return this;
    }

    /** Sets the statuses of intercepted responses. */
    public TestErrorPages intercept(String... statuses) {
        intercept =
                Optional.of(Arrays.stream(statuses).map(ErrorStatuses::parse).toList());
        return this;
    }

    public ErrorPages build() {
        return new ErrorPages(pages, intercept);
    }
}
