package io.ballast.server.config.form;

import io.ballast.server.config.key.Reading;
import io.ballast.server.config.key.Scalars;
import io.ballast.server.config.key.Type;
import io.ballast.server.config.yaml.Node;
import java.util.Map;
import java.util.Optional;

/** The name of a region that must exist under {@code geo}. */
enum RegionReference implements Type<String> {
    REGION;

    @Override
    public Optional<String> read(Node node, Reading reading) {
        Optional<String> name = Scalars.TEXT.read(node, reading);
        name.ifPresent(region -> reading.regions().use(region, node));
        return name;
    }

    @Override
    public Object print(String value) {
        return value;
    }

    @Override
    public Map<String, Object> schema() {
        return Scalars.TEXT.schema();
    }

    @Override
    public String label() {
        return "name of a region";
    }
}
