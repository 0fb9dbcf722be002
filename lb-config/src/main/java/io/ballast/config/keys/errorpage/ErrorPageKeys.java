package io.ballast.config.keys.errorpage;

import io.ballast.config.key.BriefType;
import io.ballast.config.key.Key;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.core.config.errorpage.ErrorPage;
import io.ballast.core.config.errorpage.PageFile;
import io.ballast.core.config.errorpage.PageFormat;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;

/** The keys of {@code error_pages.STATUS}. */
final class ErrorPageKeys {

    private static final Type<PageFile> FILE = new PageFileType();

    private static final ShapeBuilder<ErrorPage> KEYS = Shape.named(
            "error_page",
            "An error page in several formats. The files are read at startup and at each reload; each has at most 1 MiB of"
                    + " UTF-8, or 64 KiB with variables.");

    private static final Key<PageFile> HTML =
            KEYS.optional("html", FILE, "file with the page as HTML", page -> file(page, PageFormat.HTML));
    private static final Key<PageFile> JSON =
            KEYS.optional("json", FILE, "file with the page as JSON", page -> file(page, PageFormat.JSON));
    private static final Key<PageFile> TEXT =
            KEYS.optional("text", FILE, "file with the page as plain text", page -> file(page, PageFormat.TEXT));
    private static final Key<Integer> STATUS = KEYS.optional(
            "status",
            Scalars.integer(200, 599),
            "status that is sent instead, 200 to 203 or 400 to 599; unchanged by default",
            ErrorPage::status);

    static {
        KEYS.atLeastOne(HTML, JSON, TEXT);
    }

    private static final Type<ErrorPage> FORMATS = KEYS.build(ErrorPageKeys::build);

    /** An error page, written as one file, whose extension determines the format, or as a mapping. */
    static final Type<ErrorPage> PAGE =
            new BriefType<>(FILE.map(ErrorPageKeys::ofFile, ErrorPageKeys::onlyFile), FORMATS, ErrorPageKeys::isBrief);

    private ErrorPageKeys() {}

    private static ErrorPage build(Values values) {
        Map<PageFormat, PageFile> files = new EnumMap<>(PageFormat.class);
        values.find(HTML).ifPresent(file -> files.put(PageFormat.HTML, file));
        values.find(JSON).ifPresent(file -> files.put(PageFormat.JSON, file));
        values.find(TEXT).ifPresent(file -> files.put(PageFormat.TEXT, file));
        return new ErrorPage(files, values.find(STATUS));
    }

    private static Optional<PageFile> file(ErrorPage page, PageFormat format) {
        return Optional.ofNullable(page.files().get(format));
    }

    private static ErrorPage ofFile(PageFile file) {
        return new ErrorPage(Map.of(format(file), file), Optional.empty());
    }

    private static PageFile onlyFile(ErrorPage page) {
        return page.files().values().iterator().next();
    }

    private static boolean isBrief(ErrorPage page) {
        return page.files().size() == 1
                && page.status().isEmpty()
                && page.files().containsKey(format(onlyFile(page)));
    }

    private static PageFormat format(PageFile file) {
        return PageFormat.of(file.file().toString());
    }
}
