"""All forgeries: what is bent, systematically, and where.

A forgery is a name, "<family>: <what> of <bundle>", and a function that makes
the directory `forged` and returns the operands of kb-verify. A family is a
generator of the two.
"""

import of_ancestors
import of_bytes
import of_generations
import of_gradients
import of_kin
import of_pairs
import of_records
import of_rules
import of_scores_stated
import of_sizes
import of_taken
import of_times
import of_turns

FAMILIES = [of_bytes.not_rehashed, of_bytes.whole_files, of_bytes.manifests,
            of_bytes.names, of_bytes.number_smuggling, of_bytes.json_forms,
            of_records.members, of_records.line_members, of_records.values,
            of_records.lines, of_records.dropped, of_times.claimed_times,
            of_times.one_call, of_times.control, of_times.device_ns,
            of_times.policies, of_times.versions,
            of_times.samples, of_times.below_floor, of_times.trials,
            of_times.copied, of_times.readings, of_kin.match_keys, of_kin.parents,
            of_kin.scores, of_kin.sound_alone, of_scores_stated.stated,
            of_kin.stood_on, of_ancestors.ancestors,
            of_records.audits, of_records.packed, of_records.claims,
            of_kin.signatures, of_taken.in_place, of_taken.like, of_taken.backends,
            of_taken.pools,
            of_taken.policy_values, of_taken.comparisons,
            of_taken.missing, of_generations.answers,
            of_generations.generated, of_generations.settings,
            of_generations.extracted, of_turns.attempts, of_turns.ends,
            of_turns.asked, of_turns.judges, of_turns.chosen,
            of_sizes.sizes, of_sizes.sized_files, of_sizes.sized_parents,
            of_sizes.sized_remedies,
            of_gradients.gradients, of_gradients.gradients_files,
            of_gradients.gradients_parents,
            of_rules.twice, of_rules.types, of_rules.isolation,
            of_rules.fixed, of_rules.stopping, of_rules.batches,
            of_rules.copies, of_rules.alone, of_rules.noise,
            of_rules.steps,
            of_rules.readings_low, of_rules.clocks_told,
            of_rules.endings, of_rules.tolerance,
            of_rules.lists, of_rules.beside, of_rules.model,
            of_rules.unwritten, of_rules.slower_device,
            of_pairs.facts_apart, of_pairs.lines_apart, of_pairs.served,
            of_pairs.ranks, of_pairs.reasons, of_taken.counts]
OF_TAKEN = [of_taken.match_key_fields, of_taken.facts,
            of_taken.policy_members, of_taken.times, of_taken.readings_left_out,
            of_taken.seeds,
            of_taken.fp64_errors, of_taken.alternate_inputs,
            of_taken.nested_members]
TAKEN = [family.__name__ for family in OF_TAKEN]


def all_of(world):
    for family in FAMILIES + OF_TAKEN:
        for name, forge in family(world):
            yield "%s: %s" % (family.__name__, name.replace("\t", " ")), forge
