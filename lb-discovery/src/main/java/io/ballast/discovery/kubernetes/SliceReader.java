package io.ballast.discovery.kubernetes;

import io.ballast.discovery.kubernetes.Slice.Endpoint;
import io.ballast.discovery.kubernetes.Slice.Port;
import io.ballast.discovery.remote.JsonWalk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads one object of a list or a watch: a slice, or the status object that the server sends when a watch
 * fails. Confined to one thread.
 */
final class SliceReader {

    private final JsonWalk json;
    private final List<Port> ports = new ArrayList<>();
    private final List<Endpoint> endpoints = new ArrayList<>();
    private String name = "";
    private String version = "";
    private String addressType = "";
    private int code;
    private String message = "";

    private String text = "";
    private int number;
    private boolean isFirst;
    private boolean ready;
    private @Nullable Boolean serving;
    private boolean terminating;

    /** Reads an EndpointSlice. The parser must be positioned at its JSON object. */
    SliceReader(JsonWalk json) throws IOException {
        this.json = json;
        json.object(this::readSliceField);
    }

    private void readSliceField(String field) throws IOException {
        switch (field) {
            case "metadata" -> json.object(this::readMetadataField);
            case "addressType" -> addressType = json.text();
            case "ports" -> json.array(this::port);
            case "endpoints" -> json.array(this::endpoint);
            case "code" -> code = json.number();
            case "message" -> message = json.text();
            default -> {}
        }
    }

    private void readMetadataField(String field) throws IOException {
        switch (field) {
            case "name" -> name = json.text();
            case "resourceVersion" -> version = json.text();
            default -> {}
        }
    }

    private void port() throws IOException {
        text = "";
        number = 0;
        json.object(field -> {
            switch (field) {
                case "name" -> text = json.text();
                case "port" -> number = json.number();
                default -> {}
            }
        });
        ports.add(new Port(text, number));
    }

    private void endpoint() throws IOException {
        text = "";
        ready = true;
        serving = null;
        terminating = false;
        json.object(field -> {
            switch (field) {
                case "addresses" -> firstAddress();
                case "conditions" -> json.object(this::readConditionField);
                default -> {}
            }
        });
        boolean answers = (terminating && serving != null) ? serving : ready;
        endpoints.add(new Endpoint(text, answers, terminating));
    }

    private void firstAddress() throws IOException {
        isFirst = true;
        json.array(() -> {
            text = isFirst ? json.text() : text;
            isFirst = false;
        });
    }

    /**
     * Reads a condition of an endpoint. Defaults: an endpoint is ready, serves if it is ready, and is not
     * terminating. Only terminating endpoints can have different values for serving and ready.
     */
    private void readConditionField(String field) throws IOException {
        switch (field) {
            case "ready" -> ready = json.flag(/* absent= */ true);
            case "serving" -> serving = json.isNull() ? null : json.flag(/* absent= */ true);
            case "terminating" -> terminating = json.flag(/* absent= */ false);
            default -> {}
        }
    }

    Slice slice() {
        return new Slice(name, addressType, ports, endpoints);
    }

    /** Returns {@code metadata.resourceVersion} of the object; may be empty. */
    String version() {
        return version;
    }

    /** The HTTP status of an error. */
    int code() {
        return code;
    }

    /** The error message from the API server; empty if there is none. */
    String message() {
        return message;
    }
}
