"""Verbs: what a word says of an operation when it stands where a verb is expected.

The tables are plain words, lower case, in the infinitive; a particle belongs to its verb (``log out`` is ``logout``).
"""

from __future__ import annotations

from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# These read, whatever the method.
READING: Final = _words(
    """
    search find list get retrieve lookup count describe preview estimate browse aggregate autocomplete typeahead
    msearch mget compare introspect filter view peek exists is has can
    """
)
# Among them, those whose text is a phrase to look for rather than a language.
SEARCHING: Final = _words(
    "search find list lookup count filter browse aggregate autocomplete typeahead msearch suggest rerank"
)
# These read in one API and write in another: they need a second witness.
DOUBTFUL: Final = _words(
    """
    validate verify check test query match evaluate calculate compute tokenize detokenize rerank parse lint detect
    diff scroll explain analyze fetch suggest inspect render hash discover recommend forecast poll export
    """
)
# Of those, the ones that only look at what they are given, where the path ends in them and in no single thing's verb.
OF_WHAT_IS_GIVEN: Final = _words(
    "validate check lint parse tokenize detokenize rerank calculate compute diff detect hash explain"
)
DESTROYING: Final = _words(
    """
    delete remove cancel revoke reset rebuild restore terminate purge merge transfer actions action destroy drop erase
    wipe clear close kill stop end abort disable deactivate inactivate suspend ban block reject decline archive unlink
    detach expire invalidate overwrite replace rollback revert refund void uninstall flush truncate shutdown reboot
    restart disconnect evict unassign unsubscribe unfollow leave discard rotate regenerate recreate withdraw
    deprovision demote kick mute undo prune anonymize redact retire recycle release swap deregister unregister dismiss
    deauthorize unpublish signout logout optout cleanup batch bulk hangup anonymise steal dispose empty eject exclude
    disassociate trash forget abandon
    """
)
# These only add: nothing that was there is another afterwards.
CREATING: Final = _words(
    """
    create add new insert register submit upload open invite book send append enroll subscribe clone duplicate
    generate issue mint broadcast multicast narrowcast notify reply forward resend log comment authenticate login
    signin signup fork redeliver save checkin publish
    """
)
# These change things, one way or the other.
ALTERING: Final = _words(
    """
    authorize update upsert set edit modify change enable activate start run execute exec trigger approve confirm
    accept move rename sync refresh process pay charge capture toggle lock unlock mark assign apply install deploy
    fire ingest retry resume pause undelete unblock unban unarchive unmute redeem reopen reactivate reindex reload
    requeue replay rerun provision migrate promote finalize import copy commit increment decrement share exchange
    convert read put patch post write store vote grant deny initiate connect attach complete receive dequeue pop pull
    acquire claim consume acknowledge snooze transition resize scale boot upgrade downgrade link tag schedule
    reschedule cast checkout setup turnon turnoff reorder shuffle sort skip answer bridge proxy seal unseal wrap
    unwrap renew extend pin unpin star unstar follow like unlike favorite bookmark watch unwatch endorse unendorse
    record adjust advance allocate amend associate bind unbind bypass compact configure crawl debit deduct delegate
    deliver deposit dial dispatch drain email emit enqueue escalate failover finish freeze unfreeze fulfill hide
    unhide impersonate init initialize inject interrupt join launch load mount unmount optimize override pair populate
    prioritize propagate protect unprotect purchase buy quarantine reassign rebalance rebase recalculate recompute
    reconcile recover redo reinstall reinstate reissue remind repair replicate rerequest reroute reserve resolve
    respond resubmit retrain reverse revive settle ship sign simulate speak split squash summarize switch touch
    transcode unflag untag upvote downvote wake warm warp ack nack donate transmit hold unhold play select submit take
    """
)
CHANGING: Final = DESTROYING | CREATING | ALTERING
# Of those, the ones that are nouns or adjectives as often: they count only where a verb is what one expects.
NOUNS: Final = _words(
    """
    actions action batch bulk transfer charge block ban lock move archive process import copy clone merge post book
    mark sync refund upload invite change run stop end close clear drop leave restore reset void update open new
    commit share exchange resume set grant vote store read expire duplicate refresh patch install start login signup
    pause capture complete pull scale link tag schedule cast setup record watch star pin like follow bookmark favorite
    log comment issue release swap answer bridge proxy seal wrap fork reply forward checkout checkin connect attach
    signin boot transition snooze sort skip claim upgrade downgrade fire steal exec broadcast multicast narrowcast
    trigger load play hold sign email split pair switch take touch empty
    """
)
SHOWING: Final = READING | _words("check download show fetch view return display export query read watch validate")
# A GET that ends in one of these shows a thing of that name.
THINGS: Final = _words(
    "new open post action actions book store batch bulk read commit log comment issue record link tag release schedule "
    "scale proxy star watch end fork copy resolve load select simulate play sign take hold email split pair switch"
)
# Things as well: to get one of these is to see it.
OBJECTS: Final = _words(
    """
    pin trigger tag vote grant charge transfer block ban refund invite merge mark star like follow bookmark favorite
    watch comment record issue release fork answer bridge schedule link share exchange lock import copy clone archive
    """
)
# What a second call of the same does not change any more.
SETTLING: Final = _words(
    """
    delete remove cancel revoke terminate purge destroy erase clear close stop end abort disable deactivate inactivate
    suspend ban block reject decline archive unlink detach expire void uninstall flush unassign unsubscribe unfollow
    leave discard mute prune dismiss deauthorize unpublish logout signout enable activate approve lock unlock mark
    assign undelete unblock unban unarchive unmute reactivate reopen acknowledge resize seal pin unpin star unstar
    follow like unlike favorite bookmark watch unwatch endorse unendorse set pause resume associate disassociate hide
    unhide freeze unfreeze protect unprotect empty trash
    """
)
# What each further call does again, whatever the method.
REPEATING: Final = _words(
    """
    increment decrement append toggle rotate regenerate rerun retry resend send broadcast multicast push pop dequeue
    skip next run execute trigger order pay charge swap shuffle reorder transcribe invoke restart reboot redeliver
    """
)
# To create one of these takes something away, or moves it on: ``POST /orders/{id}/cancellations``.
TAKING: Final = _words(
    """
    cancellation cancel deletion removal termination revocation reversal eviction suspension rollback capture void
    refund dismissal withdrawal deactivation reset snooze transition binding merge expiration rejection archival
    """
)
# What an API makes when it is asked to get one.
MINTED: Final = _words(
    "token tokens session url link key secret ticket nonce credential credentials otp lease lock reservation next"
)
# What is used up, or becomes valid, when it is checked.
ONCE: Final = _words(
    """
    code codes otp pin password passcode email mail phone sms mfa 2fa challenge captcha domain ownership microdeposits
    ticket invitation invite license receipt voucher microdeposit
    """
)
# And what becomes valid when it is verified.
VERIFIED: Final = _words("account identity user number address login member person merchant")
# What one asks about without changing it.
ASKED: Final = _words(
    "permission permissions availability available eligibility eligible existence exists compatibility signature "
    "signatures validity syntax"
)
# Words that make one verb of two: check in, log out, look up.
PARTICLES: Final = _words("in out up off on down back over")
# These read where they act on many: listOrders, but "List a property for rent".
OF_MANY: Final = _words("list count filter view")
# These read where what they give comes in pages: "Run a report".
RUNNING: Final = _words("run sync")
# Before another verb these say how often or how: batchGet, bulk-delete, doSearch.
MANNERS: Final = _words("batch bulk multi mass do force async")
# A compound that ends in one of these, or in a plural, is a noun: /reset-tokens, /update-history.
NOUN_ENDS: Final = _words(
    "history policy status state log info count option reason type template form page token config summary id code list"
)
# What has no plural, so that listing it is listing many.
UNCOUNTABLE: Final = _words(
    "history metadata data content media people children staff usage traffic inventory stock activity"
)
# Languages in which anything may be said.
LANGUAGES: Final = _words("sql script command commands cmd mutation graphql cypher gremlin")
