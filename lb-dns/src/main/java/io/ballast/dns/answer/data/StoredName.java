package io.ballast.dns.answer.data;

import io.ballast.dns.dnssec.NameProof;
import io.ballast.dns.dnssec.SignedRecords;
import io.ballast.dns.wire.ByteArena;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.RecordType;
import io.ballast.dns.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A view of a name in {@link StoredNames}. One view is reused for many names, so that reading allocates
 * nothing. Returned objects are also reused: each is valid until the next call of the same method.
 *
 * <p>Thread safety: confined to one thread. Cost: linear in the number of record sets of one name, which is
 * small; allocates nothing.
 */
public final class StoredName implements NameData {

    private final StoredAnswer found = new StoredAnswer();
    private final StoredAnswer cname = new StoredAnswer();
    private final StoredAnswer servers = new StoredAnswer();
    private final StoredAnswer addresses = new StoredAnswer();
    private final Referral withGlue = new Referral(servers, addresses);
    private final Referral withoutGlue = new Referral(servers, null);
    private final SignedRecords proofRecords = SignedRecords.view();
    private final NameProof proof = NameProof.of(proofRecords);
    private final byte[] target = new byte[Wire.MAX_NAME_BYTES];

    private @Nullable StoredNames names;
    private byte[] chunk = {};
    private int nameAt;
    private int nameBytes;
    private int flags;
    private int sets;
    private int setsAt;

    /**
     * Points this object at the name at {@code address}, and returns this object. The name must not have a
     * {@link NameEntry}.
     */
    public StoredName moveTo(StoredNames to, int address) {
        names = to;
        chunk = to.arena().chunk(address);
        int at = ByteArena.offset(address);
        nameBytes = Wire.u8(chunk, at);
        nameAt = at + 1;
        at = nameAt + nameBytes;
        flags = chunk[at];
        sets = Wire.u16(chunk, at + 1);
        setsAt = at + 3;
        return this;
    }

    private StoredNames names() {
        StoredNames moved = names;
        if (moved == null) {
            throw new IllegalStateException("not moved to any name yet");
        }
        return moved;
    }

    private boolean isSigned() {
        return (flags & StoredForm.SIGNED) != 0;
    }

    private @Nullable StoredAnswer find(int type, StoredAnswer view) {
        int at = setsAt;
        boolean signed = isSigned();
        for (int i = 0; i < sets; i++) {
            if (Wire.u16(chunk, at) == type) {
                return view.moveTo(chunk, at, signed);
            }
            at = StoredAnswer.next(chunk, at, signed);
        }
        return null;
    }

    @Override
    public @Nullable AnswerSource answerFor(int type) {
        if (type == StoredForm.GLUE) {
            return null;
        }
        if (type == RecordType.ANY) {
            return sets == 0 ? null : any();
        }
        return type == RecordType.RRSIG ? signatures() : find(type, found);
    }

    private AnswerSource any() {
        Answer any = names().any();
        return any == null ? found.moveTo(chunk, setsAt, isSigned()) : any;
    }

    /** Returns the signatures of only one record set, as RFC 8482 section 4.1 describes for type ANY. */
    private @Nullable AnswerSource signatures() {
        if (!isSigned() || (flags & StoredForm.PROVEN) != 0) {
            return null;
        }
        int at = setsAt;
        for (int i = 0; i < sets; i++) {
            if (found.moveTo(chunk, at, /* signed= */ true).isSigned()) {
                return found.moveToSignatures();
            }
            at = StoredAnswer.next(chunk, at, /* signed= */ true);
        }
        return null;
    }

    @Override
    public @Nullable AnswerSource alias() {
        return find(RecordType.CNAME, cname);
    }

    @Override
    public int readAliasTarget(Answer selected, QueryName into) {
        int apexBytes = names().zone().apexBytes();
        int length = cname.copyName(target, chunk, nameAt + nameBytes - apexBytes, apexBytes);
        into.read(target, 0, length);
        return length;
    }

    @Override
    public @Nullable Referral referral() {
        if ((flags & StoredForm.DELEGATED) == 0 || find(RecordType.NS, servers) == null) {
            return null;
        }
        return find(StoredForm.GLUE, addresses) == null ? withoutGlue : withGlue;
    }

    @Override
    public @Nullable Rewrite rewrite() {
        return null;
    }

    @Override
    public @Nullable NameProof proof() {
        if ((flags & StoredForm.PROVEN) == 0) {
            return null;
        }
        int at = setsAt;
        for (int i = 0; i < sets; i++) {
            at = StoredAnswer.next(chunk, at, /* signed= */ true);
        }
        int records = at + StoredForm.PROOF_HEAD_BYTES;
        boolean isUnderName = chunk[at] != 0;
        proofRecords.proof(
                chunk,
                records,
                Wire.u16(chunk, at + 3),
                isUnderName,
                Wire.u16(chunk, at + 1),
                StoredForm.PROOF_RECORDS);
        return proof;
    }

    /** The data of the RRSIG record of a set; null if there is none. */
    public byte @Nullable [] rrsigData(int type) {
        StoredAnswer set = find(type, found);
        return set == null ? null : set.rrsigData();
    }

    /** The data of the RRSIG record of the proof; null if there is none. */
    public byte @Nullable [] proofRrsigData() {
        return proof() == null ? null : proofRecords.rrsigData();
    }
}
