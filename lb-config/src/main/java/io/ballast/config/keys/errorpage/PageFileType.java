package io.ballast.config.keys.errorpage;

import io.ballast.config.key.DerivedType;
import io.ballast.config.key.FileType;
import io.ballast.config.key.ReadContext;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.TextFile;
import io.ballast.config.yaml.Node;
import io.ballast.core.ErrorText;
import io.ballast.core.config.errorpage.PageFile;
import io.ballast.core.config.errorpage.PageTemplate;
import java.nio.file.Path;
import java.util.Optional;

/** The path of a file with an error page. The file is read together with the configuration. */
record PageFileType() implements DerivedType<Path, PageFile> {

    private static final FileType FILE = FileType.ofContent();

    @Override
    public Type<Path> source() {
        return FILE;
    }

    @Override
    public Optional<PageFile> read(Node node, ReadContext reading) {
        return FILE.read(node, reading).flatMap(file -> read(file, node, reading));
    }

    private static Optional<PageFile> read(Path file, Node node, ReadContext reading) {
        Optional<String> text = TextFile.read(file, PageTemplate.MAX_BYTES, node, reading);
        if (text.isEmpty()) {
            return Optional.empty();
        }
        try {
            PageTemplate page = new PageTemplate(text.get());
            for (String name : page.unknownNames()) {
                reading.warning(
                        node,
                        file + ": {{" + name
                                + "}} is sent as text (variables: {{request_id}}, {{status}}, {{reason}})");
            }
            return Optional.of(new PageFile(file, page));
        } catch (IllegalArgumentException e) {
            reading.error(node, file + ": " + ErrorText.of(e));
            return Optional.empty();
        }
    }

    @Override
    public Object print(PageFile page) {
        return FILE.print(page.file());
    }
}
