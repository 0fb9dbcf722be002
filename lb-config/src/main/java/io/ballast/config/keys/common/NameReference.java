package io.ballast.config.keys.common;

import io.ballast.config.key.DerivedType;
import io.ballast.config.key.ReadContext;
import io.ballast.config.key.References;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Type;
import io.ballast.config.yaml.Node;
import java.util.Optional;
import java.util.function.Function;

/** A name that must be defined elsewhere in the configuration. */
public enum NameReference implements DerivedType<String, String> {
    POOL("name of a pool", ReadContext::pools),
    /** A pool whose backends the owner of a dashboard token may override. */
    OVERRIDDEN_POOL("name of a pool", ReadContext::overriddenPools),
    /** A region under {@code geo}. */
    REGION("name of a region", ReadContext::regions),
    /** A key under {@code dns.keys}. */
    TSIG_KEY("name of a key", ReadContext::tsigKeys),
    /** A policy under {@code policies}. */
    POLICY("name of a policy", ReadContext::policies);

    private final String label;
    private final Function<ReadContext, References> references;

    NameReference(String label, Function<ReadContext, References> references) {
        this.label = label;
        this.references = references;
    }

    @Override
    public Type<String> source() {
        return Scalars.TEXT;
    }

    @Override
    public Optional<String> read(Node node, ReadContext reading) {
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
