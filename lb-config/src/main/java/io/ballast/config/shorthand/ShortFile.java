package io.ballast.config.shorthand;

import io.ballast.config.key.ReadContext;
import io.ballast.config.key.Shape;
import io.ballast.config.key.Type;
import io.ballast.config.keys.common.TlsKeys;
import io.ballast.config.yaml.Node;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The type of file paths in the short form, where an empty text means that no file is set. */
record ShortFile() implements Type<Optional<Path>> {

    @Override
    @SuppressWarnings("OptionalMapToOptional") // outer: empty if the node is invalid; inner: empty if no file is set
    public Optional<Optional<Path>> read(Node node, ReadContext reading) {
        if (node instanceof Node.Scalar scalar
                && !scalar.isNull()
                && scalar.text().isEmpty()) {
            return Optional.of(Optional.empty());
        }
        return TlsKeys.FILE.read(node, reading).map(Optional::of);
    }

    @Override
    public Object print(Optional<Path> value) {
        return value.map(Path::toString).orElse("");
    }

    @Override
    public Map<String, Object> schema() {
        return TlsKeys.FILE.schema();
    }

    @Override
    public String label() {
        return TlsKeys.FILE.label();
    }

    @Override
    public List<Shape<?>> shapes() {
        return List.of();
    }
}
