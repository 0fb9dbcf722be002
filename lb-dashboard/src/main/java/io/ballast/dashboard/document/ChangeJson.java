package io.ballast.dashboard.document;

import io.ballast.core.pool.Membership.Change;
import io.ballast.dashboard.json.JsonWriter;
import io.netty.buffer.ByteBuf;
import java.util.List;

/** Writes the changes of backends that operators made at run time. */
public final class ChangeJson {

    private ChangeJson() {}

    /** Returns the response to {@code GET /api/v1/pools/{pool}/changes}. */
    public static ByteBuf changes(List<Change> changes) {
        return JsonWriter.write(json -> json.object(() -> json.array(
                "changes",
                () -> changes.forEach(change -> json.object(() -> {
                    json.field("addr", change.address());
                    json.field("is", change.editKind());
                    json.field("weight", change.weight());
                    json.field("backup", change.backup());
                    OverrideJson.terms(json, change.terms());
                })))));
    }
}
