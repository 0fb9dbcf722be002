package io.ballast.discovery.docker;

import io.ballast.core.ErrorText;
import io.ballast.discovery.remote.BackendSet;
import io.ballast.discovery.remote.JsonWalk;
import java.io.IOException;
import java.util.Optional;

/**
 * Reads the answer of <a
 * href="https://docs.docker.com/reference/api/engine/version/v1.47/#tag/Container/operation/ContainerList">
 * {@code /containers/json}</a>.
 */
final class ContainerList {

    private final JsonWalk json;
    private final Optional<Integer> port;
    private final BackendSet backends = new BackendSet();
    private Container container = new Container();

    private ContainerList(JsonWalk json, Optional<Integer> port) {
        this.json = json;
        this.port = port;
    }

    /**
     * Returns a backend for each container that is running and healthy.
     *
     * @param port default port
     * @throws IOException if the body is not a response from Docker
     */
    static BackendSet read(byte[] body, Optional<Integer> port) throws IOException {
        try (JsonWalk json = JsonWalk.of(body)) {
            ContainerList list = new ContainerList(json, port);
            json.array(list::readContainer);
            return list.backends;
        }
    }

    private void readContainer() throws IOException {
        container = new Container();
        json.object(this::readContainerField);
        if (container.serves()) {
            try {
                backends.add(container.backend(port));
            } catch (IllegalArgumentException e) {
                backends.omit(container.name, ErrorText.of(e));
            }
        }
    }

    private void readContainerField(String field) throws IOException {
        switch (field) {
            case "Names" ->
                json.array(() -> {
                    String name = json.text();
                    container.name = container.name.isEmpty() ? name : container.name;
                });
            case "State" -> container.state = json.text();
            case "Status" -> container.status = json.text();
            case "Labels" -> json.object(this::readLabel);
            case "Ports" -> json.array(this::readPort);
            case "NetworkSettings" -> json.object(this::readNetworkSettingsField);
            default -> {}
        }
    }

    private void readLabel(String label) throws IOException {
        if (Container.LABELS.contains(label)) {
            container.labels.put(label, json.text());
        }
    }

    private void readPort() throws IOException {
        int[] number = {0};
        String[] type = {"tcp"};
        json.object(field -> {
            switch (field) {
                case "PrivatePort" -> number[0] = json.number();
                case "Type" -> type[0] = json.text();
                default -> {}
            }
        });
        if (type[0].equals("tcp")) {
            container.exposedPorts.add(number[0]);
        }
    }

    private void readNetworkSettingsField(String field) throws IOException {
        if (field.equals("Networks")) {
            json.object(this::readNetwork);
        }
    }

    private void readNetwork(String network) throws IOException {
        String[] addresses = {"", ""};
        json.object(field -> {
            switch (field) {
                case "IPAddress" -> addresses[0] = json.text();
                case "GlobalIPv6Address" -> addresses[1] = json.text();
                default -> {}
            }
        });
        container.addressByNetwork.put(network, addresses[0].isEmpty() ? addresses[1] : addresses[0]);
    }
}
