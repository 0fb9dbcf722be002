package io.ballast.discovery.kubernetes;

import io.ballast.discovery.remote.JsonWalk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A page of a list of slices.
 *
 * @param version the version of the whole list, from which a watch can continue
 * @param continueToken the token of the next page; empty for the last page
 * @param bytes the size of its text in bytes
 */
record SlicePage(List<Slice> slices, String version, String continueToken, int bytes) {

    SlicePage {
        slices = List.copyOf(slices);
    }

    /** @throws IOException if the body is not a list of slices */
    static SlicePage read(byte[] body) throws IOException {
        List<Slice> slices = new ArrayList<>();
        String[] metadata = {"", ""};
        try (JsonWalk json = JsonWalk.of(body)) {
            json.object(field -> {
                switch (field) {
                    case "items" -> json.array(() -> slices.add(new SliceReader(json).slice()));
                    case "metadata" ->
                        json.object(each -> {
                            switch (each) {
                                case "resourceVersion" -> metadata[0] = json.text();
                                case "continue" -> metadata[1] = json.text();
                                default -> {}
                            }
                        });
                    default -> {}
                }
            });
        }
        if (metadata[0].isEmpty()) {
            throw new IOException("not a list of EndpointSlices: it has no resourceVersion");
        }
        return new SlicePage(slices, metadata[0], metadata[1], body.length);
    }
}
