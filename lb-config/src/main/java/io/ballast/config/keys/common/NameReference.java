package io.ballast.config.keys.common;

import io.ballast.config.key.DerivedType;
import io.ballast.config.key.Reading;
import io.ballast.config.key.References;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;
import io.ballast.config.yaml.Node;
import java.util.Optional;
import java.util.function.Function;

/** The name of something that must exist elsewhere in the configuration. */
public enum NameReference implements DerivedType<String, String> {
    POOL("name of a pool", Reading::pools),
    /** One that stands under {@code geo}. */
    REGION("name of a region", Reading::regions),
    /** One that stands under {@code dns.keys}. */
    TSIG_KEY("name of a key", Reading::tsigKeys);

    private final String label;
    private final Function<Reading, References> references;

    NameReference(String label, Function<Reading, References> references) {
        this.label = label;
        this.references = references;
    }

    @Override
    public Type<String> source() {
        return Scalars.TEXT;
    }

    @Override
    public Optional<String> read(Node node, Reading reading) {
        Optional<String> name = source().read(node, reading);
        name.ifPresent(used -> references.apply(reading).use(used, node));
        return name;
    }

    @Override
    public Object print(String value) {
        return value;
    }

    @Override
    public String label() {
        return label;
    }
}
