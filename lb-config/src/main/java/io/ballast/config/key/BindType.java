package io.ballast.config.key;

import io.ballast.config.yaml.Node;
import io.ballast.core.config.HostPort;
import java.util.Map;
import java.util.Optional;

/** An address to listen on, which must be unique in the configuration. */
record BindType(Type<HostPort> address, String purpose) implements Type<HostPort> {

    @Override
    public Optional<HostPort> read(Node node, ReadContext reading) {
        Optional<HostPort> bind = address.read(node, reading);
        bind.ifPresent(value -> reading.ports().bind(purpose, value, node, reading));
        return bind;
    }

    @Override
    public Object print(HostPort value) {
        return address.print(value);
    }

    @Override
    public Map<String, Object> schema() {
        return address.schema();
    }

    @Override
    public String label() {
        return address.label();
    }
}
