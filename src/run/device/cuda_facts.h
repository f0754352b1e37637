#ifndef KB_DEVICE_CUDA_FACTS_H
#define KB_DEVICE_CUDA_FACTS_H

struct kb_cuda_device;
struct kb_json;
struct kb_nvml;

/*
 * What machine is this, if its device is a GPU? The environment of
 * device/facts.h, with the same sections cpu and os, and
 *
 *	device	  kind "cuda", memory_bytes (the GPU's), host_memory_bytes
 *	gpu	  name, uuid, serial, pci_bus_id, compute_capability "9.0",
 *		  multiprocessors, memory_bytes, l2_cache_bytes, vbios,
 *		  inforom, board_part_number, gsp_firmware,
 *		  memory_bus_width_bits, ecc, mig, persistence,
 *		  compute_mode, power_limit_mw (in force),
 *		  power_default_limit_mw, max_sm_clock_mhz,
 *		  max_memory_clock_mhz, pcie_generation,
 *		  pcie_generation_max, pcie_width, other_processes;
 *		  of a group links
 *	driver	  version, cuda_version (what it supports), nvml_version
 *
 * The caller adds the sections that others know about: cuda, python, torch,
 * compiler, isolation; and frees the result with kb_json_free().
 */

struct kb_cuda_facts_options {
	/*
	 * If not NULL, uuid, serial and pci_bus_id become "sha256:" and the
	 * 64 hex digits of the SHA-256 of the salt followed by the value:
	 * records of one device can still be told to be of one device.
	 */
	const char *salt;

	/* Between the GPUs of a group: "nvlink" or "pcie", or the reason why
	 * that is not known. NULL: there is one GPU. */
	const char *links, *why_no_links;
};

/* If `nvml` is NULL, `why_no_nvml` is the reason that facts get instead. */
struct kb_json *
kb_environment_cuda(const struct kb_cuda_device *device,
		    const struct kb_nvml *nvml, const char *why_no_nvml,
		    const struct kb_cuda_facts_options *options);

/*
 * The match key of times that were taken on a GPU, in the form of
 * device/match_fields.h. The environment is complete.
 */
struct kb_json *kb_match_key_cuda(const struct kb_json *environment);

#endif
